/** Bytes, slots and peers: the SPI every transport implements. */
@NullMarked
package io.jgloo.transport;

import org.jspecify.annotations.NullMarked;
