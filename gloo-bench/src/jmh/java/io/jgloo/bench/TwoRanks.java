package io.jgloo.bench;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.memory.Memory;
import java.util.concurrent.CompletableFuture;

/**
 * Two ranks that are threads, of which the second does whatever the first does: allreduce.
 *
 * <p>Vectors are zero, which every sum keeps; a one marks the last call.
 */
final class TwoRanks implements AutoCloseable {

  private final HashStore store = new HashStore();
  private final long bytes;
  private final long[] vectors = new long[2];
  private final Payload[] payloads = new Payload[2];
  private final CompletableFuture<Void> second;
  private final ProcessGroup group;

  TwoRanks(long bytes) {
    this.bytes = bytes;
    for (int rank = 0; rank < 2; rank++) {
      vectors[rank] = Memory.allocate(bytes, Memory.CACHE_LINE);
      Memory.setZero(vectors[rank], bytes);
      payloads[rank] =
          Payload.ofAddress(vectors[rank], bytes / Float.BYTES, DataType.FLOAT32, null);
    }
    second = CompletableFuture.runAsync(this::follow);
    group = connect(0);
  }

  private ProcessGroup connect(int rank) {
    return ProcessGroup.builder()
        .rank(rank)
        .size(2)
        .store(store)
        .device("tcp", DeviceOptions.DEFAULTS.with("bind", "127.0.0.1"))
        .connect();
  }

  private void follow() {
    try (ProcessGroup follower = connect(1)) {
      do {
        follower.allreduce(payloads[1], ReduceOp.SUM);
      } while (Memory.getFloat(vectors[1]) == 0);
      follower.barrier();
    }
  }

  /** In place, at the first rank. */
  void allreduce() {
    group.allreduce(payloads[0], ReduceOp.SUM);
  }

  /** The same by a call that goes on by itself. */
  void allreduceAsync() {
    group.async().allreduce(payloads[0], ReduceOp.SUM).await();
  }

  @Override
  public void close() {
    Memory.putFloat(vectors[0], 1);
    allreduce();
    group.barrier();
    group.close();
    second.join();
    store.close();
    for (long vector : vectors) {
      Memory.free(vector);
    }
  }

  @Override
  public String toString() {
    return "two ranks, " + bytes + " bytes";
  }
}
