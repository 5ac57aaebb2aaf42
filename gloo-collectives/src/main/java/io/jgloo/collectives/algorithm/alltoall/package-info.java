/** The ways to do an alltoall or alltoallv. */
package io.jgloo.collectives.algorithm.alltoall;
