package io.jgloo.ps.server;

import io.jgloo.rpc.codec.Block;
import io.jgloo.transport.memory.Memory;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/** Bytes in the blocks of one message, written and read in order. */
final class BlockStream extends OutputStream {

  private static final long FIRST_BYTES = 1 << 20;
  private static final long MOST_BYTES = 256 << 20;

  private final List<Block> blocks = new ArrayList<>();
  private long used;

  @Override
  public void write(int value) {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    int at = offset;
    int left = length;
    while (left > 0) {
      if (blocks.isEmpty() || used == last().length()) {
        long bytesNext = blocks.isEmpty() ? FIRST_BYTES : 2 * last().length();
        blocks.add(Block.allocate(Math.min(MOST_BYTES, bytesNext)));
        used = 0;
      }
      int some = (int) Math.min(left, last().length() - used);
      Memory.copy(bytes, at, last().address() + used, some);
      used += some;
      at += some;
      left -= some;
    }
  }

  private Block last() {
    return blocks.get(blocks.size() - 1);
  }

  /** The blocks, which belong to the caller from now on. */
  List<Block> take() {
    List<Block> all = new ArrayList<>(blocks);
    blocks.clear();
    if (!all.isEmpty()) {
      Block whole = all.remove(all.size() - 1);
      all.add(Block.of(whole.address(), used, whole::close));
    }
    return all;
  }

  @Override
  public void close() {
    blocks.forEach(Block::close);
    blocks.clear();
  }

  /** Reads blocks, which stay the caller's. */
  static InputStream of(List<Block> blocks) {
    return new InputStream() {
      private int block;
      private long at;

      @Override
      public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) {
        while (block < blocks.size() && at == blocks.get(block).length()) {
          block++;
          at = 0;
        }
        if (block == blocks.size()) {
          return -1;
        }
        int some = (int) Math.min(length, blocks.get(block).length() - at);
        Memory.copy(blocks.get(block).address() + at, bytes, offset, some);
        at += some;
        return some;
      }
    };
  }
}
