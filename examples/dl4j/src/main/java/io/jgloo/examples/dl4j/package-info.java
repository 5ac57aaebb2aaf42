/** Data-parallel training with DL4J. */
package io.jgloo.examples.dl4j;
