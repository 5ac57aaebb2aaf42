/** The ways to do a scatter or scatterv. */
package io.jgloo.collectives.algorithm.scatter;
