/** The ways to do a reduceScatter or reduceScatterv. */
package io.jgloo.collectives.algorithm.reducescatter;
