package io.jgloo.rendezvous.store.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator.ExtendedHandle;

/**
 * The one buffer into which a server receives from all its clients, one at a time: what is left of
 * it when a request has been read is copied.
 *
 * <p>Threads: the server's loop. Owns: the memory, until it is released.
 */
final class ReceiveBuffer extends DefaultMaxMessagesRecvByteBufAllocator {
  private static final int BYTES = 64 << 10;

  private final ByteBuf shared = Unpooled.directBuffer(BYTES, BYTES);

  @Override
  public ExtendedHandle newHandle() {
    return new MaxMessageHandle() {
      @Override
      public ByteBuf allocate(ByteBufAllocator allocator) {
        return shared.retain().clear();
      }

      @Override
      public int guess() {
        return BYTES;
      }
    };
  }

  void release() {
    shared.release();
  }
}
