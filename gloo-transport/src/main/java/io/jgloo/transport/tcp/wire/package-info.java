/** The bytes sent over TCP: hellos and frames, without connections. */
package io.jgloo.transport.tcp.wire;
