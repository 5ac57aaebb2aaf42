/** The bytes between two ranks: frames on one or several connections. */
package io.jgloo.transport.tcp.stream;
