/**
 * The connection of ranks: the context that turns a store and a device into a connected mesh, the
 * factory of stores, and the launchers' environments.
 *
 * <p>The stores themselves are in {@link io.jgloo.rendezvous.store}.
 */
@NullMarked
package io.jgloo.rendezvous;

import org.jspecify.annotations.NullMarked;
