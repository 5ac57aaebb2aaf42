/** Payloads of the arrays of DJL on the engine PyTorch. */
@NullMarked
package io.jgloo.djl;

import org.jspecify.annotations.NullMarked;
