/**
 * Calls of a worker: cut into requests by server and length, numbered, sent within a window, and
 * their replies collected.
 *
 * <p>Uses {@link io.jgloo.ps.node}, {@link io.jgloo.ps.kv}, {@link io.jgloo.ps.store}, {@link
 * io.jgloo.ps.wire} and {@link io.jgloo.ps.membership}; not the server's side.
 */
package io.jgloo.ps.client;
