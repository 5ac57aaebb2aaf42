/**
 * Handles, which execute requests at a server: the interface of handles, and the ready ones of
 * {@link io.jgloo.ps.handle.Handles}.
 *
 * <p>Uses {@link io.jgloo.ps.node}, {@link io.jgloo.ps.kv} and {@link io.jgloo.ps.store}. A handle
 * knows neither messages nor servers: it has keys, values and a {@link
 * io.jgloo.ps.handle.Responder}.
 */
@NullMarked
package io.jgloo.ps.handle;

import org.jspecify.annotations.NullMarked;
