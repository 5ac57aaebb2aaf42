/**
 * Pairs over RDMA queue pairs, by libibverbs: device {@code ibverbs}, whose meshes are also {@link
 * io.jgloo.transport.ibverbs.OneSided}.
 */
package io.jgloo.transport.ibverbs;
