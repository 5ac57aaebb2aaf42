/** Data-parallel training with PyTorch, and training by remote calls. */
package io.jgloo.examples.pytorch;
