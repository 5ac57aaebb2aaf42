/** Averaging gradients while they are still being computed. */
package io.jgloo.gradient;
