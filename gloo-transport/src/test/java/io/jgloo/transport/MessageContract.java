package io.jgloo.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bytes arrive whole, in their place, and in the order of their slot. */
public interface MessageContract extends DeviceUnderTest {

  /** Empty, and around every limit that a transport may have: staging, eager, credit, segment. */
  List<Long> SIZES =
      Stream.of(
              0L, 1L, 7L, 63L, 64L, 65L, 1000L, 2048L, 4095L, 4096L, 4097L, 8193L, 16385L, 32768L,
              65535L, 65536L, 65537L, 131073L, 262145L, 524289L, 1048577L, 4194305L, 16777216L)
          .filter(bytes -> Ranks.FULL || bytes <= 4194305L)
          .toList();

  @Test
  default void everySizeBothWaysAtOnce() {
    ranks(2)
        .run(
            rank -> {
              int peer = 1 - rank.rank();
              for (long bytes : SIZES) {
                Area out = rank.area(bytes).fill(2 * bytes + rank.rank());
                Area in = rank.area(bytes);
                Request recv = rank.recv(peer, 5, in);
                Request send = rank.send(peer, 5, out);
                rank.complete(recv, send);
                assertEquals(bytes, recv.transferred());
                assertEquals(bytes, send.transferred());
                assertEquals(peer, recv.peer());
                in.check(2 * bytes + peer);
                rank.free(in, out);
              }
            });
  }

  @Test
  default void everyAlignmentAndOffset() {
    ranks(2)
        .run(
            rank -> {
              int peer = 1 - rank.rank();
              for (int skew = 0; skew < 17; skew += 3) {
                for (int bytes : new int[] {1, 5, 300, 70_001}) {
                  Area out = rank.areaAt(bytes, skew).fill(bytes);
                  Area in = rank.areaAt(bytes + 40L, 16 - skew).fill(-1);
                  byte[] before = in.bytes(0, bytes + 40);
                  Request recv = rank.request(skew, in).message(skew, in.buffer(), 17, bytes);
                  rank.recv(peer, recv);
                  rank.complete(recv, rank.send(peer, skew, out));
                  byte[] sent = out.bytes(0, bytes);
                  System.arraycopy(sent, 0, before, 17, bytes);
                  assertArrayEquals(before, in.bytes(0, bytes + 40));
                  rank.free(in, out);
                }
              }
            });
  }

  @Test
  default void slotsDoNotWaitForEachOther() {
    long[] slots = {0, 1, Slot.MAX_NUMBER, Slot.of(1, 0), Slot.of(255, 77), -1, Long.MIN_VALUE};
    ranks(2)
        .run(
            rank -> {
              int[] sizes = {10, 0, 5000, 1_000_000, 3, 70_000, 64};
              List<Request> requests = new ArrayList<>();
              List<Area> areas = new ArrayList<>();
              for (int i = 0; i < slots.length; i++) {
                int at = rank.rank() == 0 ? i : slots.length - 1 - i;
                Area area = rank.area(sizes[at]);
                areas.add(area);
                requests.add(
                    rank.rank() == 0
                        ? rank.send(1, slots[at], area.fill(at))
                        : rank.recv(0, slots[at], area));
              }
              for (int i = 0; i < slots.length; i++) {
                rank.complete(requests.get(i));
                areas.get(i).check(rank.rank() == 0 ? i : slots.length - 1 - i);
              }
            });
  }

  @Test
  default void oneSlotIsInOrderWhateverTheSizes() {
    ranks(2)
        .run(
            rank -> {
              SplittableRandom random = new SplittableRandom(7);
              List<Request> requests = new ArrayList<>();
              List<Area> areas = new ArrayList<>();
              for (int i = 0; i < 100; i++) {
                long bytes = SIZES.get(random.nextInt(20)) / (1 + random.nextInt(3));
                Area area = rank.area(bytes);
                areas.add(area);
                requests.add(
                    rank.rank() == 0 ? rank.send(1, 9, area.fill(i)) : rank.recv(0, 9, area));
              }
              rank.complete(requests.toArray(Request[]::new));
              for (int i = 0; i < areas.size(); i++) {
                areas.get(i).check(i);
              }
            });
  }

  /** Numbers of ranks that all send to all. */
  static IntStream rankCounts() {
    return Ranks.FULL ? IntStream.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 16) : IntStream.of(1, 3, 9);
  }

  @ParameterizedTest
  @MethodSource("io.jgloo.transport.MessageContract#rankCounts")
  default void allRanksSendToAllRanks(int size) {
    ranks(size)
        .run(
            rank -> {
              for (int round = 0; round < 3; round++) {
                List<Request> requests = new ArrayList<>();
                List<Area> areas = new ArrayList<>();
                for (int peer = 0; peer < size; peer++) {
                  if (peer != rank.rank()) {
                    Area in = rank.area(1000 * round + peer);
                    areas.add(in);
                    requests.add(rank.recv(peer, round, in));
                    Area out = rank.area(1000 * round + rank.rank()).fill(rank.rank() * 100 + peer);
                    requests.add(rank.send(peer, round, out));
                  }
                }
                rank.complete(requests.toArray(Request[]::new));
                int next = 0;
                for (int peer = 0; peer < size; peer++) {
                  if (peer != rank.rank()) {
                    areas.get(next++).check(peer * 100 + rank.rank());
                  }
                }
              }
            });
  }

  @Test
  default void shorterMessagesAreFineWhereAllowed() {
    ranks(2)
        .run(
            rank -> {
              for (int bytes : new int[] {0, 1, 1000, 300_000}) {
                if (rank.rank() == 0) {
                  rank.complete(rank.send(1, 3, rank.area(bytes).fill(bytes)));
                  continue;
                }
                Area in = rank.area(300_000).fill(-2);
                byte[] rest = in.bytes(bytes, 300_000 - bytes);
                Request recv = rank.recv(0, rank.request(3, in).allowShorter());
                rank.complete(recv);
                assertEquals(bytes, recv.transferred());
                in.check(bytes, bytes);
                assertArrayEquals(rest, in.bytes(bytes, rest.length));
              }
            });
  }

  @Test
  default void requestsAreUsedAgain() {
    ranks(2)
        .run(
            rank -> {
              Area area = rank.area(4096);
              Request request = rank.request(1, area);
              for (int i = 0; i < 100; i++) {
                request.message(i, area.buffer(), i % 7, 4000 - i).index(i);
                if ((i + rank.rank()) % 2 == 0) {
                  rank.send(1 - rank.rank(), request);
                } else {
                  rank.recv(1 - rank.rank(), request);
                }
                rank.complete(request);
                assertEquals(i, request.index());
                assertEquals(4000 - i, request.transferred());
                assertTrue(request.isDone());
              }
            });
  }
}
