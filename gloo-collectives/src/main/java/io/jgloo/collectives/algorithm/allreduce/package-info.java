/** The ways to do an allreduce. */
package io.jgloo.collectives.algorithm.allreduce;
