/** Payloads of the arrays of DJL on the engine PyTorch. */
package io.jgloo.djl;
