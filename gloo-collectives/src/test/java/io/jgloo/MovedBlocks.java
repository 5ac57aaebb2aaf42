package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.jgloo.collectives.DataType;
import java.util.Arrays;

/**
 * Collectives that only move bytes, each called once with numbers that show where they are from.
 */
final class MovedBlocks {
  private MovedBlocks() {}

  /** Calls them all. */
  static void check(CppGlooMesh mesh, int size, int count) {
    mesh.each(
        (group, rank) -> {
          broadcasts(group, rank, size, count);
          gathers(group, rank, size, count);
          scatters(group, rank, size, count);
          alltoalls(group, rank, size, count);
          group.barrier();
        });
  }

  /** Rank's element i for rank to. */
  private static long from(int rank, int to, int i) {
    return (rank * 100L + to) * 1_000_000 + i;
  }

  private static void broadcasts(ProcessGroup group, int rank, int size, int count) {
    for (int root = 0; root < size; root++) {
      long[] x = block(rank, 0, count);
      group.broadcast(x, root);
      assertArrayEquals(block(root, 0, count), x);
    }
  }

  private static void allgather(ProcessGroup group, int rank, int size, int count) {
    long[] all = new long[size * count];
    group.allgather(Payload.of(block(rank, 0, count)), Payload.of(all));
    for (int from = 0; from < size; from++) {
      assertArrayEquals(
          block(from, 0, count), Arrays.copyOfRange(all, from * count, (from + 1) * count));
    }
  }

  private static void gathers(ProcessGroup group, int rank, int size, int count) {
    allgather(group, rank, size, count);
    long[] counts = new long[size];
    int total = 0;
    for (int r = 0; r < size; r++) {
      counts[r] = (r * 3L + count) % 5;
      total += (int) counts[r];
    }
    byte[] own = new byte[(int) counts[rank]];
    Arrays.fill(own, (byte) rank);
    byte[] expected = new byte[total];
    int at = 0;
    for (int r = 0; r < size; r++) {
      Arrays.fill(expected, at, at + (int) counts[r], (byte) r);
      at += (int) counts[r];
    }
    byte[] all = new byte[total];
    group.allgatherv(bytes(own), bytes(all), counts);
    assertArrayEquals(expected, all);
    for (int root = 0; root < size; root++) {
      byte[] gathered = new byte[total];
      group.gatherv(bytes(own), bytes(gathered), counts, root);
      assertArrayEquals(rank == root ? expected : new byte[total], gathered);
      long[] even = new long[rank == root ? size * count : 0];
      group.gather(Payload.of(block(rank, root, count)), Payload.of(even), root);
      for (int from = 0; rank == root && from < size; from++) {
        assertArrayEquals(
            block(from, root, count), Arrays.copyOfRange(even, from * count, (from + 1) * count));
      }
    }
  }

  private static void scatters(ProcessGroup group, int rank, int size, int count) {
    for (int root = 0; root < size; root++) {
      long[] given = blocks(root, size, count);
      long[] got = new long[count];
      group.scatter(Payload.of(given), Payload.of(got), root);
      assertArrayEquals(block(root, rank, count), got);
    }
  }

  private static void alltoalls(ProcessGroup group, int rank, int size, int count) {
    long[] got = new long[size * count];
    group.alltoall(Payload.of(blocks(rank, size, count)), Payload.of(got));
    for (int from = 0; from < size; from++) {
      assertArrayEquals(
          block(from, rank, count), Arrays.copyOfRange(got, from * count, (from + 1) * count));
    }
    long[] sent = new long[size];
    long[] received = new long[size];
    int out = 0;
    int in = 0;
    for (int peer = 0; peer < size; peer++) {
      sent[peer] = (rank * 2L + peer) % 4;
      received[peer] = (peer * 2L + rank) % 4;
      out += (int) sent[peer];
      in += (int) received[peer];
    }
    byte[] given = new byte[out];
    byte[] expected = new byte[in];
    int o = 0;
    int e = 0;
    for (int peer = 0; peer < size; peer++) {
      Arrays.fill(given, o, o + (int) sent[peer], (byte) (rank * 16 + peer));
      Arrays.fill(expected, e, e + (int) received[peer], (byte) (peer * 16 + rank));
      o += (int) sent[peer];
      e += (int) received[peer];
    }
    byte[] taken = new byte[in];
    group.alltoallv(bytes(given), sent, bytes(taken), received);
    assertArrayEquals(expected, taken);
  }

  private static Payload bytes(byte[] x) {
    return Payload.of(x, 0, x.length, DataType.UINT8);
  }

  private static long[] blocks(int rank, int size, int count) {
    long[] all = new long[size * count];
    for (int to = 0; to < size; to++) {
      System.arraycopy(block(rank, to, count), 0, all, to * count, count);
    }
    return all;
  }

  private static long[] block(int rank, int to, int count) {
    long[] x = new long[count];
    for (int i = 0; i < count; i++) {
      x[i] = from(rank, to, i);
    }
    return x;
  }
}
