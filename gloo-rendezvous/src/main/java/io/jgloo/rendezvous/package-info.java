/**
 * How ranks meet: stores they can all reach, and the context that turns a store and a device into a
 * connected mesh.
 *
 * <p>{@link io.jgloo.rendezvous.Store} is the SPI; {@link io.jgloo.rendezvous.HashStore} (one JVM),
 * {@link io.jgloo.rendezvous.FileStore} (a shared directory), {@link io.jgloo.rendezvous.TcpStore}
 * (a server) and {@link io.jgloo.rendezvous.PrefixStore} (a name space in another store) implement
 * it.
 */
package io.jgloo.rendezvous;
