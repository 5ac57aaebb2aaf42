package io.jgloo.gradient;

import io.jgloo.Payload;
import io.jgloo.Work;
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
  private final Payload fixed; // null if a tensor has no memory of its own
  private final Payload[] parts; // of this step
  Payload payload;
  int waiting;
  Work work;

  Bucket(int first, List<Tensor> tensors) {
    this.first = first;
    registered = tensors.stream().map(Tensor::memory).collect(Collectors.toList()); // has nulls
    fixed = registered.contains(null) ? null : Payload.ofAll(registered);
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
      payload = waiting == 1 ? Payload.ofAll(List.of(parts)) : null;
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
      payload = Payload.ofAll(List.of(parts));
    }
    return payload;
  }
}
