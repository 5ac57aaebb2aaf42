package io.jgloo.ps.server;

import io.jgloo.ps.kv.KvPairs;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.ps.wire.ValueCodec;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Message;
import io.jgloo.transport.memory.Memory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Where the keys, lens and values of a request are. */
public final class RequestContent {

  private final KvProtocol.Head head;
  private final ValueType<?> type;

  /** Memory that is not the message's, to be closed. */
  private final List<Block> memory = new ArrayList<>(2);

  private long keys;
  private long lens;
  private long values;
  private int[] offsets;

  private RequestContent(KvProtocol.Head head, ValueType<?> type) {
    this.head = head;
    this.type = type;
  }

  /** Gives the memory back. */
  public void close() {
    memory.forEach(Block::close);
  }

  /** Bytes of keys, lens and values, as they are here. */
  long bytes() {
    return keyBytes() + lensBytes() + valueBytes();
  }

  private long keyBytes() {
    return 8L * head.content().keys();
  }

  private long lensBytes() {
    return head.has(KvProtocol.LENS) ? 4L * head.content().keys() : 0;
  }

  private long valueBytes() {
    return type.bytes() * head.content().values();
  }

  /**
   * Copies keys, lens and values.
   *
   * @param out gets them; null to copy each to a block
   * @return the blocks
   */
  List<Block> copy(ByteBuffer out) {
    List<Block> blocks = new ArrayList<>();
    long[] from = {keys, lens, values};
    long[] bytes = {keyBytes(), lensBytes(), valueBytes()};
    for (int part = 0; part < from.length; part++) {
      if (out != null) {
        int at = out.arrayOffset() + out.position();
        Memory.copy(from[part], out.array(), at, (int) bytes[part]);
        out.position(out.position() + (int) bytes[part]);
      } else if (bytes[part] > 0) {
        Block copy = Block.allocate(bytes[part]);
        Memory.copy(from[part], copy.address(), bytes[part]);
        blocks.add(copy);
      }
    }
    return blocks;
  }

  /** Address of the first key. */
  public long keys() {
    return keys;
  }

  /**
   * Reads a request.
   *
   * @param cached its keys if the message has none, closed with the content; else null
   * @return null if the numbers do not fit together
   */
  public static RequestContent read(
      KvProtocol.Head head, Message message, ValueType<?> type, Block cached) {
    RequestContent content = new RequestContent(head, type);
    if (cached != null) {
      content.memory.add(cached);
    }
    if (content.locate(message, cached != null) && content.divide()) {
      if (cached != null) {
        content.keys = cached.address();
      }
      int encoding = head.content().pushed();
      if (encoding != ValueCodec.EXACT) {
        Block exact =
            ValueCodec.decode(encoding, type, content.values, (int) head.content().values());
        content.memory.add(exact);
        content.values = exact.address();
      }
      return content;
    }
    content.close();
    return null;
  }

  /** Finds the parts; false if the message does not have their lengths. */
  private boolean locate(Message message, boolean isCached) {
    if (head.content().values() > Integer.MAX_VALUE
        || !ValueCodec.isValid(head.content().pushed(), type)
        || !ValueCodec.isValid(head.content().pulled(), type)) {
      return false;
    }
    long keyBytes = isCached ? 0 : keyBytes();
    long lensBytes = lensBytes();
    long valueBytes = ValueCodec.bytes(head.content().pushed(), type, head.content().values());
    if (!head.has(KvProtocol.BLOCKS)) {
      int length = message.length() - KvProtocol.REQUEST_BYTES;
      if (length != keyBytes + lensBytes + valueBytes) {
        return false;
      }
      Block copy = Block.allocate(length);
      memory.add(copy);
      Memory.copy(
          message.bytes(), message.offset() + KvProtocol.REQUEST_BYTES, copy.address(), length);
      keys = copy.address();
      lens = keys + keyBytes;
      values = lens + lensBytes;
      return true;
    }
    int index = 0;
    long[] wanted = {keyBytes, lensBytes, valueBytes};
    long[] at = new long[3];
    for (int part = 0; part < wanted.length; part++) {
      if (wanted[part] > 0) {
        List<Block> blocks = message.blocks();
        if (index >= blocks.size() || blocks.get(index).length() != wanted[part]) {
          return false;
        }
        at[part] = blocks.get(index++).address();
      }
    }
    keys = at[0];
    lens = at[1];
    values = at[2];
    return true;
  }

  /** Divides the values among the keys; false if that is not possible. */
  private boolean divide() {
    if (!head.has(KvProtocol.LENS)) {
      return head.content().keys() == 0
          ? head.content().values() == 0
          : head.content().values() % head.content().keys() == 0;
    }
    offsets = new int[head.content().keys() + 1];
    long sum = 0;
    for (int i = 0; i < head.content().keys(); i++) {
      int length = Memory.getInt(lens + 4L * i);
      sum += length;
      if (length < 0 || sum > head.content().values()) {
        return false;
      }
      offsets[i + 1] = (int) sum;
    }
    return sum == head.content().values();
  }

  public <T> KvPairs<T> pairs(ValueType<T> itsType) {
    int each =
        head.content().keys() == 0 ? 0 : (int) (head.content().values() / head.content().keys());
    return new KvPairs<>(itsType, keys, values, offsets, each, 0, head.content().keys());
  }
}
