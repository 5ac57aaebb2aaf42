package io.jgloo.ps.wire;

import io.jgloo.rpc.codec.Block;
import io.jgloo.transport.memory.Memory;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Keys, lens or values of a message that is made. If it has bytes, one of the two ways is used.
 *
 * @param block gives a block of its bytes
 * @param put writes its bytes to the position of a buffer on the heap, which moves on
 */
public record Part(long length, Supplier<Block> block, Consumer<ByteBuffer> put) {

  /** No bytes. */
  public static final Part NONE = copyOf(0, 0);

  /** A block, which belongs to the part. */
  public static Part of(Block block) {
    if (block.length() == 0) {
      block.close();
      return NONE;
    }
    return new Part(
        block.length(),
        () -> block,
        out -> {
          put(block.address(), block.length(), out);
          block.close();
        });
  }

  /** A copy of memory. */
  public static Part copyOf(long address, long bytes) {
    return new Part(
        bytes,
        () -> {
          Block copy = Block.allocate(bytes);
          Memory.copy(address, copy.address(), bytes);
          return copy;
        },
        out -> put(address, bytes, out));
  }

  /** Longs of an array. */
  public static Part of(long[] array, int from, int count) {
    return new Part(
        8L * count,
        () -> {
          Block block = Block.allocate(8L * count);
          Memory.copy(array, from, block.address(), count);
          return block;
        },
        out -> {
          for (int i = from; i < from + count; i++) {
            out.putLong(array[i]);
          }
        });
  }

  private static void put(long address, long bytes, ByteBuffer out) {
    Memory.copy(address, out.array(), out.arrayOffset() + out.position(), (int) bytes);
    out.position(out.position() + (int) bytes);
  }
}
