/** Sockets of epoll and of NIO, and what is polled. */
package io.jgloo.transport.tcp.socket;
