/** Training by remote calls, with tensors of PyTorch. */
package io.jgloo.examples.pytorch;
