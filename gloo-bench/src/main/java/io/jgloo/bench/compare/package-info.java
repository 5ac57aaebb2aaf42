/** Measures this library beside others and writes one report; {@code gloo-bench/compare}. */
package io.jgloo.bench.compare;
