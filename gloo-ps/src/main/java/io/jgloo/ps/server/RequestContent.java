package io.jgloo.ps.server;

import io.jgloo.ps.kv.KvPairs;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.ps.wire.Part;
import io.jgloo.ps.wire.ValueCodec;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Message;
import io.jgloo.transport.memory.Memory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The addresses of keys, lens and values of a request. */
public final class RequestContent {

  private final KvProtocol.Head head;
  private final ValueType<?> type;

  /** Memory that is not the message's, to be closed. */
  private final List<Block> memory = new ArrayList<>(2);

  /** Addresses of keys, lens and values. */
  private long[] at;

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
  private long[] lengths() {
    long keys = head.content().keys();
    long lens = head.has(KvProtocol.LENS) ? keys : 0;
    return new long[] {8 * keys, 4 * lens, type.bytes() * head.content().values()};
  }

  /** Copies of keys, lens and values. */
  Part[] copies() {
    long[] lengths = lengths();
    Part[] copies = new Part[lengths.length];
    Arrays.setAll(copies, part -> Part.copyOf(at[part], lengths[part]));
    return copies;
  }

  /** Address of the first key. */
  public long keys() {
    return at[0];
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
    if (content.locate(message, cached) && content.divide()) {
      return content;
    }
    content.close();
    return null;
  }

  /** Finds the parts; false if the message does not have their lengths. */
  private boolean locate(Message message, Block cached) {
    KvProtocol.Content numbers = head.content();
    if (numbers.values() > Integer.MAX_VALUE
        || !ValueCodec.isValid(numbers.pushed(), type)
        || !ValueCodec.isValid(numbers.pulled(), type)) {
      return false;
    }
    long[] lengths = lengths();
    lengths[0] = cached == null ? lengths[0] : 0;
    lengths[2] = ValueCodec.bytes(numbers.pushed(), type, numbers.values());
    boolean areBlocks = head.has(KvProtocol.BLOCKS);
    at = KvProtocol.parts(message, KvProtocol.REQUEST_BYTES, areBlocks, memory, lengths);
    if (at != null && cached != null) {
      at[0] = cached.address();
    }
    if (at != null && numbers.pushed() != ValueCodec.EXACT) {
      Block exact = ValueCodec.decode(numbers.pushed(), type, at[2], (int) numbers.values());
      memory.add(exact);
      at[2] = exact.address();
    }
    return at != null;
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
      int length = Memory.getInt(at[1] + 4L * i);
      sum += length;
      if (length < 0 || sum > head.content().values()) {
        return false;
      }
      offsets[i + 1] = (int) sum;
    }
    return sum == head.content().values();
  }

  public <T> KvPairs<T> pairs(ValueType<T> type) {
    int each =
        head.content().keys() == 0 ? 0 : (int) (head.content().values() / head.content().keys());
    return new KvPairs<>(type, at[0], at[2], offsets, each, 0, head.content().keys());
  }
}
