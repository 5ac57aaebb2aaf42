/**
 * The message protocol above every transport, written once: requests, matching, unexpected
 * messages, flow control, progress, failure.
 *
 * <p>A transport supplies a {@link io.jgloo.transport.engine.Route} for each pair, which moves
 * bytes, and a {@link io.jgloo.transport.engine.Source} for each mesh, which finds out what has
 * arrived.
 */
package io.jgloo.transport.engine;
