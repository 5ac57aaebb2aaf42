/** What is sent over TCP: hellos, frames and checksums, without connections. */
package io.jgloo.transport.tcp.wire;
