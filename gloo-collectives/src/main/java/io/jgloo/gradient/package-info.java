/** Averaging gradients while they are still being computed. */
@NullMarked
package io.jgloo.gradient;

import org.jspecify.annotations.NullMarked;
