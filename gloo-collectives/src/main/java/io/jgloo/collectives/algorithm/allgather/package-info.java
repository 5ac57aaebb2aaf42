/** The ways to do an allgather or allgatherv. */
package io.jgloo.collectives.algorithm.allgather;
