/** Moves that the algorithms of several collectives share. */
package io.jgloo.collectives.algorithm.pattern;
