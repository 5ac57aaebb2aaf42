package io.jgloo.rendezvous.store.tcp;

import io.netty.buffer.ByteBuf;

/** Turns one connection's bytes, however they are cut into reads, into requests. */
interface StoreDecoder {
  /**
   * The next whole request, {@code null} if all bytes are taken and more are needed.
   *
   * @throws StoreProtocolException after which the connection is unusable
   */
  StoreRequest next(ByteBuf in) throws StoreProtocolException;

  /** Whether the connection has shown that it speaks the protocol. */
  boolean isValidated();

  /** Whether a request is incomplete. */
  boolean isInsideRequest();

  /** Memory held for the incomplete request. */
  long heldBytes();
}
