/** Measures how good the choice of algorithms is, and the model behind it. */
package io.jgloo.bench.regret;
