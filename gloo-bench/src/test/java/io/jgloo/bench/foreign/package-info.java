/** A rank of ours in a job of C++ Gloo, beside the driver {@code peers/gloo_rank.cc}. */
package io.jgloo.bench.foreign;
