/** Payloads of the arrays of ND4J, and data-parallel training with DL4J. */
@NullMarked
package io.jgloo.nd4j;

import org.jspecify.annotations.NullMarked;
