/**
 * The TCP device on a network and in a time that are simulated in one JVM, from a seed.
 *
 * <p>Users test with it: production code above the SPI runs unchanged, faults are scripted, and a
 * run is repeated exactly by its seed. {@link io.jgloo.transport.sim.SimWorld} is the way in.
 */
@NullMarked
package io.jgloo.transport.sim;

import org.jspecify.annotations.NullMarked;
