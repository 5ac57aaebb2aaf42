/** Bytes, slots and peers: the SPI every transport implements. */
package io.jgloo.transport;
