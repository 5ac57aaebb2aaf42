package io.jgloo.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.transport.memory.Memory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arriving bytes go through the receive's kernel, each exactly once, whole elements at a time. */
public interface ReductionContract extends DeviceUnderTest {

  /** Sum of integers of 4 or 8 bytes; refuses what no transport may ask of it. */
  record Sum(int granule) implements Reduction {
    @Override
    public void reduce(long target, long source, long bytes) {
      if (bytes < 0 || bytes % granule != 0) {
        throw new IllegalArgumentException(bytes + " bytes are no whole elements");
      }
      if (Math.max(target, source) < Math.min(target, source) + bytes) {
        throw new IllegalArgumentException("ranges overlap");
      }
      for (long at = 0; at < bytes; at += granule) {
        if (granule == Integer.BYTES) {
          Memory.putInt(target + at, Memory.getInt(target + at) + Memory.getInt(source + at));
        } else {
          Memory.putLong(target + at, Memory.getLong(target + at) + Memory.getLong(source + at));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  default void sumsOfInts(boolean unexpected) {
    ranks(2)
        .run(
            rank -> {
              for (int count : new int[] {0, 1, 2, 15, 16, 17, 1000, 16_385, 100_003, 1_000_003}) {
                int[] values = new SplittableRandom(count).ints(count).toArray();
                Area area = rank.area(4L * count).ints(values);
                if (rank.rank() == 0) {
                  Request send = rank.send(1, 1, area);
                  rank.tell(1, 2);
                  rank.complete(send);
                } else {
                  if (unexpected) {
                    rank.hear(0, 2);
                  }
                  Request recv = rank.recv(0, rank.request(1, area).reducing(new Sum(4)));
                  rank.complete(recv);
                  if (!unexpected) {
                    rank.hear(0, 2);
                  }
                  assertEquals(4L * count, recv.transferred());
                  assertArrayEquals(Arrays.stream(values).map(v -> 2 * v).toArray(), area.ints());
                }
                rank.free(area);
              }
            });
  }

  @Test
  default void manyPeersIntoOnePlace() {
    ranks(4)
        .run(
            rank -> {
              int count = 60_001;
              Area area = rank.area(8L * count);
              for (int i = 0; i < count; i++) {
                Memory.putLong(area.address() + 8L * i, (long) i << (8 * rank.rank()));
              }
              if (rank.rank() > 0) {
                rank.complete(rank.send(0, 4, area));
                return;
              }
              for (int peer = 1; peer < 4; peer++) {
                rank.complete(rank.recv(peer, rank.request(4, area).reducing(new Sum(8))));
              }
              for (int i = 0; i < count; i++) {
                long expected = i * 0x01010101L;
                assertEquals(expected, Memory.getLong(area.address() + 8L * i), "element " + i);
              }
            });
  }

  @Test
  default void manyAtOnceOnAllPairs() {
    int size = 3;
    int messages = 20;
    int count = 20_011;
    ranks(size)
        .run(
            rank -> {
              List<Request> requests = new ArrayList<>();
              List<Area> sums = new ArrayList<>();
              for (int peer = 0; peer < size; peer++) {
                for (int m = 0; peer != rank.rank() && m < messages; m++) {
                  int[] ones = new int[count];
                  Arrays.setAll(ones, i -> i);
                  Area sum = rank.area(4L * count).ints(ones);
                  sums.add(sum);
                  Request recv = rank.request(m % 3, sum).reducing(new Sum(4));
                  requests.add(rank.recv(peer, recv));
                  requests.add(rank.send(peer, m % 3, rank.area(4L * count).ints(ones)));
                }
              }
              rank.complete(requests.toArray(Request[]::new));
              int[] twos = new int[count];
              Arrays.setAll(twos, i -> 2 * i);
              sums.forEach(sum -> assertArrayEquals(twos, sum.ints()));
            });
  }

  @Test
  default void shorterMessagesReduceTheirPart() {
    ranks(2)
        .run(
            rank -> {
              Area area = rank.area(40).ints(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
              if (rank.rank() == 0) {
                Request send = rank.request(1, area).message(1, area.buffer(), 0, 12);
                rank.complete(rank.send(1, send));
                return;
              }
              Request recv = rank.request(1, area).reducing(new Sum(4)).allowShorter();
              rank.complete(rank.recv(0, recv));
              assertEquals(12, recv.transferred());
              assertArrayEquals(new int[] {2, 4, 6, 4, 5, 6, 7, 8, 9, 10}, area.ints());
            });
  }
}
