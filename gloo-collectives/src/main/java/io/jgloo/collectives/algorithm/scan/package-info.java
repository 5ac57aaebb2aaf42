/** The ways to do a scan or exscan. */
package io.jgloo.collectives.algorithm.scan;
