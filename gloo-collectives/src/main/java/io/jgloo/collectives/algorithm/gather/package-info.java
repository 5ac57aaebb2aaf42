/** The ways to do a gather or gatherv. */
package io.jgloo.collectives.algorithm.gather;
