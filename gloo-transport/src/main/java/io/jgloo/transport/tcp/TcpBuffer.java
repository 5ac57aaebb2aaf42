package io.jgloo.transport.tcp;

import io.jgloo.transport.Buffer;

/** A window on memory; TCP needs no registration. */
final class TcpBuffer extends Buffer {}
