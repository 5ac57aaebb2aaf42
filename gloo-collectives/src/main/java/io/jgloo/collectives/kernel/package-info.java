/** Element arithmetic: what a reduction does to two ranges of memory, in Java and in C. */
package io.jgloo.collectives.kernel;
