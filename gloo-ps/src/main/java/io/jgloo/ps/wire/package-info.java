/**
 * Requests and replies as bytes: heads, encodings of values, filters. No state, no threads.
 *
 * <p>Uses {@link io.jgloo.ps.kv} only.
 */
package io.jgloo.ps.wire;
