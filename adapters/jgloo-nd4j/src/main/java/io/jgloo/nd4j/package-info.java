/** Payloads of the arrays of ND4J. */
package io.jgloo.nd4j;
