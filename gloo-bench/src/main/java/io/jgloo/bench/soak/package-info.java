/** Processes that verify collectives while faults are made, and the figures of a long run. */
package io.jgloo.bench.soak;
