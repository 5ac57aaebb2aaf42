/** Compares the calls that the ranks of a hung or failed job have recorded. */
package io.jgloo.bench.diagnose;
