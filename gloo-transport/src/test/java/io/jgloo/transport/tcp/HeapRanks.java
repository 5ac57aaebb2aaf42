package io.jgloo.transport.tcp;

import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.Rank;
import io.jgloo.transport.ThreadRanks;
import io.jgloo.transport.tcp.stream.Stream;

/** Ranks whose areas lie in memory that their peers have mapped. */
final class HeapRanks extends ThreadRanks {

  private final long heapBytes;

  /**
   * @param heapBytes of each rank; areas that do not fit lie in private memory
   */
  HeapRanks(int size, long heapBytes, DeviceOptions options) {
    super(size, rank -> Devices.open("tcp", options));
    this.heapBytes = heapBytes;
  }

  @Override
  protected void connected(Rank rank) {
    if (!rank.useHeap(heapBytes).isShared() && rank.size() > 1) {
      throw new AssertionError("the memory is not shared");
    }
    awaitAnswers(rank, 0);
  }

  /** Waits until all peers have answered the offer of an extent. */
  static void awaitAnswers(Rank rank, int extent) {
    rank.until(
        "extent " + extent + " is mapped",
        () -> {
          rank.queue().progress();
          return isAnswered((TcpMesh) rank.mesh(), extent);
        });
  }

  private static boolean isAnswered(TcpMesh mesh, int extent) {
    boolean answered = true;
    mesh.lock();
    try {
      for (int peer = 0; peer < mesh.size(); peer++) {
        Stream stream = mesh.streamAt(peer);
        answered &= stream == null || !stream.lending().awaitsAnswer(extent);
      }
    } finally {
      mesh.unlock();
    }
    return answered;
  }
}
