/** The TCP device: Netty's epoll sockets where there are any, java.nio channels elsewhere. */
package io.jgloo.transport.tcp;
