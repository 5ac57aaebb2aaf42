package io.jgloo.fault;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.JGlooException;
import java.time.Duration;
import java.util.Arrays;

/**
 * The program of one of two ranks: rank 1 has no heap left when it makes calls of new shapes. One
 * may succeed, with garbage of other threads that is collected late. Both say how that ended, and
 * make calls in a new group on the same device.
 *
 * <p>Arguments: rank, store, attribute {@code memory} of the device.
 */
final class FullHeapRank {

  static final String FAILED = "failed";
  static final String REUNITED = "reunited";

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private FullHeapRank() {}

  public static void main(String[] arguments) {
    int rank = Integer.parseInt(arguments[0]);
    DeviceOptions options =
        DeviceOptions.DEFAULTS.with("bind", "127.0.0.1").with("memory", arguments[2]);
    try (Store store = Stores.open(arguments[1], rank, TIMEOUT);
        Device device = Devices.open("tcp", options)) {
      try (ProcessGroup group = connect(rank, 0, store, device)) {
        allreduce(group, 1000);
        float[] vector = new float[50_000];
        Throwable failure = failure(group, vector, rank == 1);
        System.out.println(FAILED + " " + failure);
      }
      try (ProcessGroup group = connect(rank, 1, store, device)) {
        allreduce(group, 1000);
        allreduce(group, 50_000);
        System.out.println(REUNITED + " " + group.size());
      }
    }
  }

  private static ProcessGroup connect(int rank, long epoch, Store store, Device device) {
    return ProcessGroup.builder()
        .rank(rank)
        .size(2)
        .epoch(epoch)
        .timeout(TIMEOUT)
        .store(store)
        .device(device)
        .connect();
  }

  private static void allreduce(ProcessGroup group, int count) {
    float[] vector = new float[count];
    Arrays.fill(vector, group.rank() + 1);
    group.allreduce(vector, ReduceOp.SUM);
    for (float each : vector) {
      if (each != 3) {
        throw new IllegalStateException("a sum is " + each);
      }
    }
  }

  /** How a call fails; null if none does. Its memory is free again when it has. */
  private static Throwable failure(ProcessGroup group, float[] vector, boolean full) {
    Payload[] parts = new Payload[1000]; // each of another length, so that none has a plan yet
    Arrays.setAll(parts, each -> Payload.of(vector, 0, vector.length - each));
    Object[] all = null;
    try {
      if (full) {
        all = fill();
      }
      for (Payload part : parts) {
        group.allreduce(part, ReduceOp.SUM);
      }
      return null;
    } catch (JGlooException | OutOfMemoryError e) {
      return e;
    } finally {
      if (all != null) {
        all[0] = null;
      }
    }
  }

  /** A list of arrays of all sizes, each as long as there was room for one; its head is first. */
  private static Object[] fill() {
    Object[] list = new Object[2];
    for (int bytes = 1 << 20; bytes >= 16; bytes /= 4) {
      try {
        while (true) {
          list[0] = new Object[] {list[0], new byte[bytes]};
        }
      } catch (OutOfMemoryError e) {
        list[1] = null; // goes on with shorter ones
      }
    }
    return list;
  }
}
