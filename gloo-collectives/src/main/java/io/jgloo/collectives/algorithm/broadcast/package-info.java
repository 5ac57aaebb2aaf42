/** The ways to do a broadcast. */
package io.jgloo.collectives.algorithm.broadcast;
