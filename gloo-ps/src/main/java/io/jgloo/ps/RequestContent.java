package io.jgloo.ps;

import io.jgloo.rpc.message.Block;
import io.jgloo.rpc.message.Message;
import io.jgloo.transport.memory.Memory;
import java.util.List;

/** Where the keys, lens and values of a request are. */
final class RequestContent {

  private final Block memory;
  private final long keys;
  private final long values;
  private final int[] offsets;
  private final int each;

  private RequestContent(Block memory, long keys, long values, int[] offsets, int each) {
    this.memory = memory;
    this.keys = keys;
    this.values = values;
    this.offsets = offsets;
    this.each = each;
  }

  /** Memory that is not the message's, to be closed; null if there is none. */
  Block memory() {
    return memory;
  }

  /** Null if the numbers do not fit together. */
  static RequestContent read(KvProtocol.Head head, Message message, int valueBytes) {
    boolean hasLens = head.has(KvProtocol.LENS);
    long keyBytes = 8L * head.keys();
    long lensBytes = hasLens ? 4L * head.keys() : 0;
    if (head.values() > Integer.MAX_VALUE
        || (!hasLens && (head.keys() == 0 ? head.values() : head.values() % head.keys()) != 0)) {
      return null;
    }
    long bytes = head.values() * valueBytes;
    Block memory = null;
    long[] at = new long[3];
    if (!head.has(KvProtocol.BLOCKS)) {
      int length = message.length() - KvProtocol.REQUEST_BYTES;
      if (length != keyBytes + lensBytes + bytes) {
        return null;
      }
      memory = Block.allocate(length);
      int offset = message.offset() + KvProtocol.REQUEST_BYTES;
      Memory.copy(message.bytes(), offset, memory.address(), length);
      at[0] = memory.address();
      at[1] = at[0] + keyBytes;
      at[2] = at[1] + lensBytes;
    } else {
      int index = 0;
      long[] wanted = {keyBytes, lensBytes, bytes};
      for (int part = 0; part < wanted.length; part++) {
        if (wanted[part] > 0) {
          List<Block> blocks = message.blocks();
          if (index >= blocks.size() || blocks.get(index).length() != wanted[part]) {
            return null;
          }
          at[part] = blocks.get(index++).address();
        }
      }
    }
    int each = head.keys() == 0 ? 0 : (int) (head.values() / head.keys());
    int[] offsets = hasLens ? offsets(at[1], head.keys(), head.values()) : null;
    if (hasLens && offsets == null) {
      if (memory != null) {
        memory.close();
      }
      return null;
    }
    return new RequestContent(memory, at[0], at[2], offsets, each);
  }

  private static int[] offsets(long lens, int keys, long values) {
    int[] offsets = new int[keys + 1];
    long sum = 0;
    for (int i = 0; i < keys; i++) {
      int length = Memory.getInt(lens + 4L * i);
      sum += length;
      if (length < 0 || sum > values) {
        return null;
      }
      offsets[i + 1] = (int) sum;
    }
    return sum == values ? offsets : null;
  }

  <T> KvPairs<T> pairs(KvProtocol.Head head, ValueType<T> type) {
    return new KvPairs<>(type, keys, values, offsets, each, 0, head.keys());
  }
}
