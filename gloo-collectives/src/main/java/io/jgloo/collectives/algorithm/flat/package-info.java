/** Algorithms of one round, in which each rank sends to all that need what it has. */
package io.jgloo.collectives.algorithm.flat;
