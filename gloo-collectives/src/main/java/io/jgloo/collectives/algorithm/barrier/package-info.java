/** The ways to do a barrier. */
package io.jgloo.collectives.algorithm.barrier;
