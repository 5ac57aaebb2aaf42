package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.AbortedException;
import io.jgloo.transport.ClosedException;
import io.jgloo.transport.InterruptedOperationException;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.OperationTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sends and receives that are started together. */
@Timeout(120)
class MessageBatchTest {

  private static final int TAGS = 3;

  @ParameterizedTest
  @CsvSource({"1,7", "2,0", "2,1", "2,12347", "2,400009", "3,100003", "5,257"})
  void ranksThatNameMessagesInDifferentOrders_exchangeAll(int size, int count) {
    try (Ranks ranks = Ranks.of(size)) {
      ranks.each(
          (group, rank) -> {
            long[][] received = new long[size * TAGS][count];
            List<Consumer<MessageBatch>> messages = new ArrayList<>();
            for (int each = 0; each < size * TAGS; each++) {
              int peer = each / TAGS;
              int tag = each % TAGS;
              Payload sent = vector(count, value(rank, peer, tag));
              Payload block = Payload.of(received[each]);
              messages.add(batch -> batch.send(sent, peer, tag));
              messages.add(batch -> batch.recv(block, peer, tag));
            }
            Collections.shuffle(messages, new Random(rank + 17));
            MessageBatch batch = group.batch();
            messages.forEach(each -> each.accept(batch));
            for (int round = 0; round < 3; round++) {
              for (long[] each : received) {
                Arrays.fill(each, -1);
              }
              batch.run();
              for (int each = 0; each < size * TAGS; each++) {
                long[] expected = new long[count];
                Arrays.fill(expected, value(each / TAGS, rank, each % TAGS));
                assertArrayEquals(expected, received[each]);
              }
            }
          });
    }
  }

  private static long value(int from, int to, int tag) {
    return 100L * from + 10L * to + tag;
  }

  /** Elements off the heap or on it, by their value. */
  private static Payload vector(int count, long value) {
    if (value % 2 == 0) {
      long[] array = new long[count];
      Arrays.fill(array, value);
      return Payload.of(array);
    }
    LongBuffer buffer =
        ByteBuffer.allocateDirect(8 * count).order(ByteOrder.nativeOrder()).asLongBuffer();
    for (int i = 0; i < count; i++) {
      buffer.put(i, value);
    }
    return Payload.of(buffer);
  }

  @Test
  void messagesOfOneTag_matchInTheOrderInWhichTheyAreNamed() {
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) -> {
            if (rank == 0) {
              group.send(new int[] {1}, 1, 4);
              group
                  .batch()
                  .send(Payload.of(new int[] {2, 3}), 1, 4)
                  .send(Payload.of(new int[0]), 1, 4)
                  .send(Payload.of(new int[] {4}), 1, 4)
                  .run();
            } else {
              int[] x = new int[4];
              group
                  .batch()
                  .recv(Payload.of(x, 0, 1), 0, 4)
                  .recv(Payload.of(x, 1, 2), 0, 4)
                  .recv(Payload.of(x, 0, 0), 0, 4)
                  .run();
              group.recv(Payload.of(x, 3, 1), 0, 4);
              assertArrayEquals(new int[] {1, 2, 3, 4}, x);
            }
          });
    }
  }

  @Test
  void messagesNotDoneInTime_areNamedTogetherAndTheGroupRemainsUsable() {
    try (Ranks ranks = Ranks.of(3)) {
      int[] x = new int[3];
      ProcessGroup hasty = ranks.group(0).with(CallOptions.DEFAULTS.timeout(Duration.ofMillis(80)));
      MessageBatch batch =
          hasty
              .batch()
              .recv(Payload.of(x, 0, 1), 1, 5)
              .send(Payload.of(new int[] {6}), 1, 6)
              .recv(Payload.of(x, 1, 1), 2, 5)
              .recv(Payload.of(x, 2, 1), 2, 7);
      ranks.group(2).send(new int[] {9}, 0, 7);
      Work work = batch.runAsync();
      OperationTimeoutException timeout =
          assertThrows(OperationTimeoutException.class, work::await);
      assertEquals(List.of(1, 2), timeout.missingPeers());
      assertTrue(timeout.getMessage().contains("2 messages are not done"), timeout::getMessage);
      assertEquals(timeout.getMessage(), work.failure().orElseThrow().getMessage());
      Throwable future =
          assertThrows(CompletionException.class, work.toCompletableFuture()::join).getCause();
      assertEquals(timeout.getMessage(), future.getMessage());
      assertArrayEquals(new int[] {0, 0, 9}, x);
      ranks.each(
          (group, rank) -> {
            if (rank == 0) {
              group.recv(Payload.of(x, 0, 1), 1, 5);
              group.recv(Payload.of(x, 1, 1), 2, 5);
            } else {
              group.send(new int[] {rank}, 0, 5);
            }
            if (rank == 1) {
              int[] six = new int[1];
              group.recv(six, 0, 6);
              assertEquals(6, six[0]);
            }
            group.barrier();
          });
      assertArrayEquals(new int[] {1, 2, 9}, x);
    }
  }

  @Test
  void interruptedWait_withdrawsAllMessages() {
    try (Ranks ranks = Ranks.of(2)) {
      int[] withdrawn = new int[3];
      MessageBatch batch = ranks.group(0).batch();
      for (int tag = 0; tag < withdrawn.length; tag++) {
        batch.recv(Payload.of(withdrawn, tag, 1), 1, tag);
      }
      Thread.currentThread().interrupt();
      Work work = batch.runAsync();
      assertThrows(InterruptedOperationException.class, work::await);
      assertTrue(Thread.interrupted());
      assertTrue(work.isDone());
      ranks.each(
          (group, rank) -> {
            for (int tag = 0; tag < withdrawn.length; tag++) {
              if (rank == 1) {
                group.send(new int[] {5}, 0, tag);
              } else {
                group.recv(new int[1], 1, tag);
              }
            }
          });
      assertArrayEquals(new int[3], withdrawn);
    }
  }

  @Test
  void failureOfTheGroup_endsAllMessages() {
    try (Ranks ranks = Ranks.of(3)) {
      List<Throwable> failures =
          ranks.outcomes(
              (group, rank) -> {
                if (rank == 2) {
                  group.async().barrier();
                  group.abort("enough");
                  return;
                }
                MessageBatch batch = group.batch();
                for (int tag = 0; tag < 20; tag++) {
                  batch.send(vector(100_000, tag), 1 - rank, tag).recv(vector(1, tag), 2, tag);
                }
                Work work = batch.runAsync();
                try {
                  work.await();
                } finally {
                  assertTrue(work.isDone());
                  assertThrows(JGlooException.class, batch::run);
                }
              });
      for (int rank = 0; rank < 2; rank++) {
        AbortedException aborted = assertInstanceOf(AbortedException.class, failures.get(rank));
        assertTrue(aborted.getMessage().contains("enough"), aborted::getMessage);
      }
      ranks.group(0).close();
      MessageBatch batch = ranks.group(0).batch().recv(vector(1, 0), 1, 0);
      assertThrows(ClosedException.class, batch::run);
    }
  }

  @Test
  void batchThatIsRunning_isNotRunAgain() {
    try (Ranks ranks = Ranks.of(2)) {
      int[] x = new int[1];
      MessageBatch batch = ranks.group(0).batch().recv(Payload.of(x), 1, 0);
      for (int round = 1; round < 4; round++) {
        Work work = batch.runAsync();
        String message = assertThrows(IllegalStateException.class, batch::run).getMessage();
        assertTrue(message.startsWith("batch of 0 sends and 1 receives is running"), message);
        ranks.group(1).send(new int[] {round}, 0, 0);
        work.await();
        assertEquals(round, x[0]);
      }
    }
  }

  @Test
  void messagesToThisRank_needACounterpart() {
    try (Ranks ranks = Ranks.of(1)) {
      ProcessGroup group = ranks.group(0);
      int[] x = {1, 2, 0, 0};
      MessageBatch batch =
          group.batch().recv(Payload.of(x, 2, 1), 0, 5).send(Payload.of(x, 1, 1), 0, 5);
      batch.run();
      assertArrayEquals(new int[] {1, 2, 2, 0}, x);
      batch.send(Payload.of(x, 0, 1), 0, 5);
      String message = assertThrows(IllegalArgumentException.class, batch::run).getMessage();
      assertTrue(message.startsWith("send to rank 0 with tag 5, which is this one"), message);
      batch.recv(Payload.of(new float[1]), 0, 5);
      assertThrows(IllegalArgumentException.class, batch::run);
      assertArrayEquals(new int[] {1, 2, 2, 0}, x);
    }
  }

  @Test
  void impossibleMessages_areRefused() {
    try (Ranks ranks = Ranks.of(2)) {
      int[] x = new int[4];
      MessageBatch batch =
          ranks.group(0).batch().recv(Payload.of(x, 0, 2), 1, 0).send(Payload.of(x, 3, 1), 1, 0);
      batch.send(Payload.of(x, 2, 2), 1, 1); // may share memory with another send
      assertRefused("recv from rank 1 with tag 2 must not overlap memory of send", batch, x, 1, 2);
      assertRefused("peer must be 0 to 1", batch, new int[1], 2, 2);
      assertRefused("tag must be", batch, new int[1], 1, -1);
      assertRefused("x must not be null", batch, null, 1, 1);
      assertThrows(IllegalArgumentException.class, () -> batch.send(Payload.of(x, 1, 1), 1, 3));
      assertEquals("batch of 2 sends and 1 receives", batch.toString());
    }
  }

  private static void assertRefused(
      String reason, MessageBatch batch, int[] x, int peer, long tag) {
    Payload vector = x == null ? null : Payload.of(x, x.length - 1, 1);
    String message =
        assertThrows(IllegalArgumentException.class, () -> batch.recv(vector, peer, tag))
            .getMessage();
    assertTrue(message.startsWith(reason), message);
  }
}
