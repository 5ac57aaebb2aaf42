/** Pairs over RDMA queue pairs, by libibverbs; hidden, found as device {@code ibverbs}. */
package io.jgloo.transport.ibverbs;
