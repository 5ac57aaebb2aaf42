/**
 * Connects the pairs of a mesh: listener, dials, handshakes and proofs, by the thread of a device.
 */
package io.jgloo.transport.tcp.connect;
