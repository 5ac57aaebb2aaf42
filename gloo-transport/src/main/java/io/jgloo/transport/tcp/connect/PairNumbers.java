package io.jgloo.transport.tcp.connect;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The numbers by which a Gloo listener identifies its pairs.
 *
 * <p><i>Threads</i>: any.
 */
public final class PairNumbers {

  /** A pair to be. */
  record NumberedPair(ConnectMesh mesh, int peer) {}

  private final Map<Long, NumberedPair> taken = new ConcurrentHashMap<>();
  private final AtomicLong next = new AtomicLong();
  private final Runnable onNewNumbers;

  /**
   * @param onNewNumbers called when there are new numbers: their connections may be waiting
   */
  public PairNumbers(Runnable onNewNumbers) {
    this.onNewNumbers = onNewNumbers;
  }

  /**
   * Numbers for the pairs of a mesh, by rank, its own included.
   *
   * @param counted counted up over all meshes, or else the ranks themselves
   * @throws IllegalStateException if the ranks are taken by another mesh
   */
  long[] take(ConnectMesh mesh, boolean counted) {
    int size = mesh.size();
    long first = counted ? next.getAndAdd(size) : 0;
    long[] numbers = new long[size];
    for (int peer = 0; peer < size; peer++) {
      numbers[peer] = first + peer;
      NumberedPair before = taken.putIfAbsent(first + peer, new NumberedPair(mesh, peer));
      if (before != null) {
        for (int i = 0; i < peer; i++) {
          taken.remove(first + i);
        }
        throw new IllegalStateException(
            "with connecting=lazy and wire=gloo a device can serve one mesh at a time; it serves "
                + before.mesh());
      }
    }
    onNewNumbers.run();
    return numbers;
  }

  /** The pair of this number, or null. */
  NumberedPair find(long number) {
    return taken.get(number);
  }

  void giveBack(long[] numbers) {
    for (long number : numbers) {
      taken.remove(number);
    }
  }
}
