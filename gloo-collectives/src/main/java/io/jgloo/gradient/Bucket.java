package io.jgloo.gradient;

import io.jgloo.Payload;
import io.jgloo.Work;
import io.jgloo.collectives.DataType;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullUnmarked;

/**
 * Tensors that are reduced in one call.
 *
 * <p><em>Threads</em>: under the lock of its reducer.
 */
@NullUnmarked // payload and work are set in each step
final class Bucket {

  final int first; // tensor
  private final List<Payload> registered;
  private final DataType narrow; // null if elements are sent as they are
  private final Payload zeros;
  private final Payload fixed; // null if a tensor has no memory of its own
  private final Payload[] parts; // of this step
  Payload payload;
  int waiting;
  Work work;

  /**
   * Joins tensors.
   *
   * @param narrow type as which float32 is sent, or null
   */
  Bucket(int first, List<Tensor> tensors, DataType narrow) {
    this.first = first;
    DataType type = tensors.get(0).type();
    this.narrow = type == DataType.FLOAT32 ? narrow : null;
    long count = tensors.stream().mapToLong(Tensor::count).sum();
    zeros = Payload.zeros(isNarrow() ? narrow : type, count);
    registered = tensors.stream().map(Tensor::memory).collect(Collectors.toList()); // has nulls
    fixed = registered.contains(null) ? null : joined(registered);
    parts = new Payload[tensors.size()];
    reset();
  }

  /** Begins a step; keeps no memory of the last one. */
  void reset() {
    registered.toArray(parts);
    payload = fixed;
    waiting = parts.length;
    work = null;
  }

  /** Sets the memory of a tensor in this step; nothing has changed if it throws. */
  void replace(int tensor, Payload gradient) {
    Payload before = parts[tensor - first];
    parts[tensor - first] = gradient;
    boolean joined = false;
    try {
      payload = waiting == 1 ? joined(List.of(parts)) : null;
      joined = true;
    } finally {
      if (!joined) {
        parts[tensor - first] = before;
      }
    }
  }

  /** The memory of all tensors, which are ready. */
  Payload joined() {
    if (payload == null) {
      payload = joined(List.of(parts));
    }
    return payload;
  }

  private Payload joined(List<Payload> vectors) {
    Payload all = Payload.ofAll(vectors);
    return isNarrow() ? all.narrowed(narrow) : all;
  }

  /** Whether its elements are sent in fewer bits than they have. */
  boolean isNarrow() {
    return narrow != null;
  }

  /** What a rank without input contributes. */
  Payload zeros() {
    return zeros;
  }
}
