/** Small rank programs that look at one thing each, for {@code gloo-bench/compare}. */
package io.jgloo.bench.probe;
