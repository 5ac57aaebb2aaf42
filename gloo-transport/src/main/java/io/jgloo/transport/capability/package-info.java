/** Capabilities of some meshes beyond the SPI, for the collectives: see {@code Mesh.capability}. */
@NullMarked
package io.jgloo.transport.capability;

import org.jspecify.annotations.NullMarked;
