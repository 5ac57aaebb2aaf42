package io.jgloo;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.Retainable;
import io.jgloo.collectives.execution.Staged;
import java.util.Arrays;
import java.util.List;

/**
 * Vectors in several places, end to end as one.
 *
 * <p><em>Threads</em>: any, as far as the elements allow.
 */
final class JoinedMemory implements Staged, Retainable {

  private final Payload[] parts;
  private final long[] starts;

  private JoinedMemory(List<Payload> parts) {
    this.parts = parts.toArray(Payload[]::new);
    starts = new long[this.parts.length + 1];
    for (int i = 0; i < this.parts.length; i++) {
      starts[i + 1] = Math.addExact(starts[i], this.parts[i].bytes());
    }
  }

  /** See {@link Payload#ofAll}. */
  static Payload join(List<Payload> parts) {
    Arguments.present("parts", parts);
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("parts must not be empty");
    }
    DataType type = Arguments.present("parts[0]", parts.get(0)).type();
    for (int i = 0; i < parts.size(); i++) {
      Payload part = Arguments.present("parts[" + i + "]", parts.get(i));
      if (part.type() != type) {
        throw new IllegalArgumentException(
            "parts must be of one type, but parts["
                + i
                + "] is "
                + part
                + " and parts[0] is "
                + parts.get(0));
      }
      for (int before = 0; before < i; before++) {
        if (parts.get(before).overlaps(part)) {
          throw new IllegalArgumentException(
              "parts must not overlap, but parts[" + before + "] and parts[" + i + "] do");
        }
      }
    }
    JoinedMemory joined = new JoinedMemory(parts);
    long count = joined.starts[parts.size()] / type.bytes();
    if (parts.size() == 1) {
      return parts.get(0);
    } else if (joined.isGapless()) {
      return Payload.ofAddress(joined.firstAddress(), count, type, joined);
    }
    return new Payload(type, count, joined);
  }

  /** Whether the parts lie one behind the other at addresses, and need not be copied. */
  private boolean isGapless() {
    long next = 0;
    for (Payload part : parts) {
      if (part.staged() || (next != 0 && part.count() > 0 && part.region().address() != next)) {
        return false;
      }
      next = part.count() == 0 ? next : part.region().address() + part.bytes();
    }
    return true;
  }

  private long firstAddress() {
    return Arrays.stream(parts)
        .filter(part -> part.count() > 0)
        .mapToLong(part -> part.region().address())
        .findFirst()
        .orElse(0);
  }

  /** Whether any of the parts has bytes in common with that. */
  boolean overlaps(Payload other) {
    return Arrays.stream(parts).anyMatch(part -> part.overlaps(other));
  }

  @Override
  public void retain() {
    Payload.retain(parts);
  }

  @Override
  public void release() {
    Payload.release(parts);
  }

  @Override
  public void load(long offset, long target, long bytes) {
    long end = offset + bytes;
    for (int i = partAt(offset); i < parts.length && starts[i] < end; i++) {
      long from = Math.max(offset, starts[i]);
      long length = Math.min(end, starts[i + 1]) - from;
      if (length > 0) {
        parts[i].region().load(from - starts[i], target + (from - offset), length);
      }
    }
  }

  @Override
  public void store(long source, long offset, long bytes) {
    long end = offset + bytes;
    for (int i = partAt(offset); i < parts.length && starts[i] < end; i++) {
      long from = Math.max(offset, starts[i]);
      long length = Math.min(end, starts[i + 1]) - from;
      if (length > 0) {
        parts[i].region().store(source + (from - offset), from - starts[i], length);
      }
    }
  }

  /** The part in which a byte lies, or the last that begins there. */
  private int partAt(long offset) {
    int found = Arrays.binarySearch(starts, 0, parts.length, offset);
    int part = found >= 0 ? found : -found - 2;
    while (part > 0 && starts[part] == offset && starts[part - 1] == offset) {
      part--;
    }
    return part;
  }

  @Override
  public String toString() {
    return "vectors " + Arrays.toString(parts);
  }
}
