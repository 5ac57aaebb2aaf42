/** Payloads of the arrays of DJL on the engine PyTorch, and data-parallel training. */
@NullMarked
package io.jgloo.djl;

import org.jspecify.annotations.NullMarked;
