/**
 * Key-value stores: {@link io.jgloo.rendezvous.store.Store} is what they have in common, {@link
 * io.jgloo.rendezvous.store.HashStore} is one in memory, {@link
 * io.jgloo.rendezvous.store.PrefixStore} a name space in another store. Stores in files and at
 * servers are opened by {@code io.jgloo.rendezvous.Stores}.
 *
 * <p>An implementation of another store is found by its {@link
 * io.jgloo.rendezvous.store.StoreProvider}. {@link io.jgloo.rendezvous.store.StoreKeys} holds the
 * rules that all implementations share.
 */
@NullMarked
package io.jgloo.rendezvous.store;

import org.jspecify.annotations.NullMarked;
