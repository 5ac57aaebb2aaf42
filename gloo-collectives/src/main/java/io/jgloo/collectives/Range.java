package io.jgloo.collectives;

import io.jgloo.collectives.Range.Space;
import java.util.Objects;

/**
 * A run of bytes in one symbolic buffer.
 *
 * @param space the buffer
 * @param offset first byte
 * @param length number of bytes; 0 is an empty range
 */
public record Range(Space space, long offset, long length) {
  /** Refuses negative offsets and lengths. */
  public Range {
    Objects.requireNonNull(space, "space");
    if (offset < 0 || length < 0 || offset > Long.MAX_VALUE - length) {
      throw new IllegalArgumentException("range at offset " + offset + " of " + length + " bytes");
    }
  }

  /** One past the last byte. */
  public long end() {
    return offset + length;
  }

  /** Whether there is no byte in it. */
  public boolean isEmpty() {
    return length == 0;
  }

  /** The same bytes of another buffer. */
  public Range in(Space other) {
    return new Range(other, offset, length);
  }

  /** As many bytes, {@code by} bytes further. */
  public Range moved(long by) {
    return new Range(space, offset + by, length);
  }

  /** {@code bytes} bytes of it, from its byte {@code from} on. */
  public Range part(long from, long bytes) {
    return new Range(space, offset + from, bytes);
  }

  @Override
  public String toString() {
    return space.label() + "[" + offset + "," + end() + ")";
  }

  /** The symbolic buffers a schedule works on; the executor binds them to memory. */
  public enum Space {
    /** The caller's contribution: read only, and absent when the call is in place. */
    INPUT("input"),
    /** Where the result goes; holds the contribution at the start when the call is in place. */
    OUTPUT("output"),
    /**
     * Memory of the schedule's own, {@link Schedule#scratchBytes()} long, undefined at the start.
     */
    SCRATCH("scratch");

    private final String label;

    Space(String label) {
      this.label = label;
    }

    /** The name used in messages. */
    public String label() {
      return label;
    }
  }
}
