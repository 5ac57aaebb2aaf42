/**
 * Requests at a server: their order, the shards that execute them, replies, snapshots and replicas.
 *
 * <p>Uses {@link io.jgloo.ps.node}, {@link io.jgloo.ps.kv}, {@link io.jgloo.ps.handle}, {@link
 * io.jgloo.ps.store}, {@link io.jgloo.ps.wire} and {@link io.jgloo.ps.membership}; not the worker's
 * side.
 */
package io.jgloo.ps.server;
