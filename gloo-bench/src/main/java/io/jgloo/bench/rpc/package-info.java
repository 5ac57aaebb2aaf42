/** Measures calls between two processes: ours, and gRPC-Java where it was built. */
package io.jgloo.bench.rpc;
