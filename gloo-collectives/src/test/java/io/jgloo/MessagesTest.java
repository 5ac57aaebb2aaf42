package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.DataType;
import io.jgloo.transport.Allocation;
import io.jgloo.transport.InterruptedOperationException;
import io.jgloo.transport.MismatchException;
import io.jgloo.transport.OperationTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of the application's own, between two ranks. */
@Timeout(120)
class MessagesTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void neighboursExchange(int size) {
    try (Ranks ranks = Ranks.of(size)) {
      for (int count : new int[] {0, 1, 100_000}) {
        ranks.each(
            (group, rank) -> {
              int right = (rank + 1) % size;
              int left = Math.floorMod(rank - 1, size);
              long[] sent = new long[count];
              Arrays.fill(sent, rank);
              long[] received = new long[count];
              group.sendRecv(Payload.of(sent), right, Payload.of(received), left, 3);
              assertEquals(count, Arrays.stream(received).filter(each -> each == left).count());
              FloatBuffer halo = floats(count);
              group
                  .async()
                  .sendRecv(Payload.of(new float[count]), left, Payload.of(halo), right, 4)
                  .toCompletableFuture()
                  .join();
            });
      }
    }
  }

  private static FloatBuffer floats(int count) {
    return ByteBuffer.allocateDirect(4 * count).order(ByteOrder.nativeOrder()).asFloatBuffer();
  }

  @Test
  void arriveByTagWhateverTheOrder() {
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) -> {
            if (rank == 0) {
              group.send(Payload.of(new int[] {1, 2}), 1, 5);
              group.send(Payload.of(new int[] {3}), 1, 6);
              group.async().send(Payload.of(new int[0]), 1, 7).await();
            } else {
              int[] x = new int[4];
              group.recv(Payload.of(x, 1, 1), 0, 6);
              Work two = group.async().recv(Payload.of(x, 2, 2), 0, 5);
              two.await();
              group.recv(Payload.of(x, 0, 0), 0, 7);
              assertArrayEquals(new int[] {0, 3, 1, 2}, x);
            }
          });
    }
  }

  /** Of memory that the peer could read in place, too: it does so in its next call only. */
  @ParameterizedTest
  @ValueSource(ints = {4 << 10, 8 << 10, 16 << 10, 100 << 10})
  void shortMessageOfAnyMemory_isSentToARankInNoCall(int bytes) {
    CountDownLatch sent = new CountDownLatch(1);
    try (Ranks ranks = Ranks.of(2, Duration.ofSeconds(20))) {
      ranks.each(
          (group, rank) -> {
            try (Allocation memory = group.allocate(bytes)) {
              Payload x = Payload.ofAddress(memory.address(), bytes, DataType.INT8, memory);
              group.barrier(); // the other rank has mapped the memory after two of them
              group.barrier();
              if (rank == 0) {
                group.send(x, 1, 1);
                group.send(Payload.of(ByteBuffer.allocateDirect(bytes), DataType.INT8), 1, 2);
                sent.countDown();
              } else {
                sent.await();
                group.recv(x, 0, 1);
                group.recv(x, 0, 2);
              }
              group.barrier();
            }
          });
    }
  }

  @Test
  void recvAnyTakesTheFirstMessage() {
    try (Ranks ranks = Ranks.of(3)) {
      ranks.each(
          (group, rank) -> {
            if (rank > 0) {
              group.send(Payload.of(new long[] {rank * 10L}), 0, 1);
              return;
            }
            BitSet both = new BitSet();
            both.set(1, 3);
            long[] x = new long[1];
            int sum = 0;
            for (int i = 0; i < 2; i++) {
              int source = group.recvAny(Payload.of(x), both, 1);
              assertEquals(source * 10L, x[0]);
              sum += source;
            }
            assertEquals(3, sum);
          });
    }
  }

  @Test
  void oneThatDoesNotComeLeavesTheGroupWell() {
    try (Ranks ranks = Ranks.of(2)) {
      ProcessGroup hasty = ranks.group(0).with(CallOptions.DEFAULTS.timeout(Duration.ofMillis(50)));
      BitSet one = new BitSet();
      one.set(1);
      int[] x = new int[1];
      OperationTimeoutException timeout =
          assertThrows(OperationTimeoutException.class, () -> hasty.recv(Payload.of(x), 1, 4));
      assertEquals(List.of(1), timeout.missingPeers());
      assertThrows(OperationTimeoutException.class, () -> hasty.recvAny(Payload.of(x), one, 4));
      assertThrows(OperationTimeoutException.class, hasty.async().recv(Payload.of(x), 1, 4)::await);
      Thread.currentThread().interrupt();
      assertThrows(InterruptedOperationException.class, () -> hasty.recv(Payload.of(x), 1, 4));
      assertTrue(Thread.interrupted());
      ranks.each(
          (group, rank) -> {
            if (rank == 1) {
              group.send(Payload.of(new int[] {8}), 0, 4);
            } else {
              group.recv(Payload.of(x), 1, 4);
            }
            group.barrier();
          });
      assertEquals(8, x[0]);
    }
  }

  @Test
  void bothSidesMustAgreeOnTypeAndLength() {
    for (Payload wrong : List.of(Payload.of(new int[3]), Payload.of(new float[4]))) {
      try (Ranks ranks = Ranks.of(2)) {
        List<Throwable> failures =
            ranks.outcomes(
                (group, rank) -> {
                  if (rank == 0) {
                    group.send(wrong, 1, 4);
                    group.barrier();
                  } else {
                    group.recv(Payload.of(new int[4]), 0, 4);
                  }
                });
        assertInstanceOf(MismatchException.class, failures.get(1));
        assertInstanceOf(MismatchException.class, failures.get(0));
      }
    }
  }
}
