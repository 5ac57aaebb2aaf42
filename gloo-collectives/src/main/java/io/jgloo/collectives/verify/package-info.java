/** The parts of the verifier: races, deadlocks, and symbolic results. */
package io.jgloo.collectives.verify;
