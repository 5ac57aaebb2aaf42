package io.jgloo.rpc.codec;

import java.util.List;
import java.util.Objects;

/**
 * Content of a request or a reply: bytes on the heap, and blocks off the heap.
 *
 * <p><i>Owns</i>: its blocks. A message that is sent belongs to the messenger from then on, which
 * closes the blocks; one that is received belongs to its receiver.
 */
public final class Message implements AutoCloseable {

  /** Most blocks of a message. */
  public static final int MAX_BLOCKS = 64;

  private final byte[] bytes;
  private final int offset;
  private final int length;
  private final List<Block> blocks;

  private Message(byte[] bytes, int offset, int length, List<Block> blocks) {
    this.bytes = bytes;
    this.offset = offset;
    this.length = length;
    this.blocks = blocks;
  }

  /** A message of bytes only, which are not copied and not to be changed any more. */
  public static Message of(byte[] bytes) {
    return new Message(bytes, 0, bytes.length, List.of());
  }

  /**
   * A message of a range of bytes, which is not copied and not to be changed any more, and blocks.
   *
   * @throws IllegalArgumentException if there are more than {@link #MAX_BLOCKS} blocks
   * @throws IndexOutOfBoundsException if the range is not within the array
   */
  public static Message of(byte[] bytes, int offset, int length, List<Block> blocks) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (blocks.size() > MAX_BLOCKS) {
      throw new IllegalArgumentException(
          "blocks must be at most " + MAX_BLOCKS + ", but are " + blocks.size());
    }
    return new Message(bytes, offset, length, List.copyOf(blocks));
  }

  /** The array that holds the bytes, from {@link #offset} on. */
  public byte[] bytes() {
    return bytes;
  }

  public int offset() {
    return offset;
  }

  /** Number of bytes on the heap. */
  public int length() {
    return length;
  }

  public List<Block> blocks() {
    return blocks;
  }

  /** Closes the blocks. */
  @Override
  public void close() {
    blocks.forEach(Block::close);
  }
}
