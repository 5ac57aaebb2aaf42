package io.jgloo.fault;

import io.jgloo.ProcessGroup;
import io.jgloo.ReduceOp;
import io.jgloo.rendezvous.Store;
import io.jgloo.rendezvous.Stores;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.PeerLostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.time.Duration;

/**
 * The program of one rank: reduces until a peer is lost, says which, and goes on with the others.
 *
 * <p>Arguments: rank, size, store, count of floats.
 */
final class Survivor {

  static final String PREFIX = "rank ";
  static final String WORKING = PREFIX + "works";
  static final String LOST = "rank";
  static final String REUNITED = PREFIX + "goes on";

  private static final Duration MEETING = Duration.ofSeconds(60);
  private static final int ROUNDS = 100;

  private Survivor() {}

  public static void main(String[] arguments) {
    int rank = Integer.parseInt(arguments[0]);
    int size = Integer.parseInt(arguments[1]);
    int count = Integer.parseInt(arguments[3]);
    DeviceOptions loopback = DeviceOptions.DEFAULTS.with("bind", "127.0.0.1");
    try (Store store = Stores.open(arguments[2], rank, MEETING);
        Device device = Devices.open("tcp", loopback)) {
      int lost = loseOne(rank, size, count, store, device);
      int newRank = rank < lost ? rank : rank - 1;
      try (ProcessGroup group = connect(newRank, size - 1, 1, store, device)) {
        for (int round = 0; round < ROUNDS; round++) {
          reduce(group, Math.min(count, 1000), round);
        }
        group.barrier();
      }
      System.out.println(REUNITED);
    }
  }

  private static int loseOne(int rank, int size, int count, Store store, Device device) {
    try (ProcessGroup group = connect(rank, size, 0, store, device)) {
      for (int round = 0; ; round++) {
        reduce(group, count, round);
        if (round == 3) {
          System.out.println(WORKING);
        }
      }
    } catch (PeerLostException e) {
      System.out.println(LOST + " " + e.peer() + " " + System.currentTimeMillis());
      return e.peer();
    }
  }

  private static ProcessGroup connect(int rank, int size, long epoch, Store store, Device device) {
    return ProcessGroup.builder()
        .rank(rank)
        .size(size)
        .epoch(epoch)
        .store(store)
        .device(device)
        .connectTimeout(MEETING)
        .connect();
  }

  /** One verified allreduce. */
  private static void reduce(ProcessGroup group, int count, int round) {
    FloatBuffer vector =
        ByteBuffer.allocateDirect(4 * count).order(ByteOrder.nativeOrder()).asFloatBuffer();
    for (int i = 0; i < count; i++) {
      vector.put(i, group.rank() + (i + round) % 7);
    }
    group.allreduce(vector, ReduceOp.SUM);
    int size = group.size();
    for (int i = 0; i < count; i++) {
      float expected = size * (size - 1) / 2f + size * ((i + round) % 7);
      if (vector.get(i) != expected) {
        throw new AssertionError(
            "element " + i + " of round " + round + " is " + vector.get(i) + ", not " + expected);
      }
    }
  }
}
