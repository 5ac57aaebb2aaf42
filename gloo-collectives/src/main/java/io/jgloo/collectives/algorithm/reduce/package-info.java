/** The ways to do a reduce. */
package io.jgloo.collectives.algorithm.reduce;
