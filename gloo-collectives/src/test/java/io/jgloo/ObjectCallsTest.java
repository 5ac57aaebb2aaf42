package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.ReduceOp;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects that ranks send each other as bytes. */
@Timeout(120)
class ObjectCallsTest {

  private static final int LIMIT = 1 << 20;

  /** Numbers as bytes; cannot encode negative ones, nor decode those above 1000. */
  private static final ObjectCodec<Integer> SMALL =
      new ObjectCodec<>() {
        @Override
        public byte[] encode(Integer value) {
          if (value < 0) {
            throw new IllegalStateException("it is " + value);
          }
          return ByteBuffer.allocate(4).putInt(value).array();
        }

        @Override
        public Integer decode(byte[] bytes) {
          int value = ByteBuffer.wrap(bytes).getInt();
          if (value > 1000) {
            throw new IllegalStateException("it is " + value);
          }
          return value;
        }
      };

  @ParameterizedTest
  @CsvSource({"1,0", "2,0", "2,1", "3,2", "5,4", "9,3"})
  void everyRankGetsTheObjectOfTheRoot(int size, int root) {
    String text = "größe \ud83d\ude80 ".repeat(7919);
    try (Ranks ranks = Ranks.of(size)) {
      ranks.each(
          (group, rank) -> {
            for (String each : List.of("", "a", text)) {
              String sent = rank == root ? each : null;
              assertEquals(each, group.broadcastObject(sent, root, ObjectCodec.STRING, LIMIT));
            }
          });
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 9})
  void everyRankGetsTheObjectsOfAll(int size) {
    try (Ranks ranks = Ranks.of(size)) {
      ranks.each(
          (group, rank) -> {
            byte[] own = bytesOf(rank);
            List<byte[]> all = group.allgatherObject(own, ObjectCodec.BYTES, LIMIT);
            assertEquals(size, all.size());
            assertSame(own, all.get(rank));
            for (int each = 0; each < size; each++) {
              assertArrayEquals(bytesOf(each), all.get(each));
            }
          });
    }
  }

  /** None, one, or a prime number of bytes. */
  private static byte[] bytesOf(int rank) {
    byte[] bytes = new byte[new int[] {0, 1, 104729}[rank % 3]];
    Arrays.fill(bytes, (byte) (rank + 1));
    return bytes;
  }

  @Test
  void objectLongerThanTheLeastLimit_failsTheCallAtAllRanksOnly() {
    try (Ranks ranks = Ranks.of(3)) {
      for (boolean one : new boolean[] {true, false}) {
        List<Throwable> failures =
            ranks.outcomes(
                (group, rank) -> {
                  int limit = rank == 2 ? 9 : LIMIT;
                  String text = rank == 1 ? "0123456789" : "";
                  if (one) {
                    group.broadcastObject(text, 1, ObjectCodec.STRING, limit);
                  } else {
                    group.allgatherObject(text, ObjectCodec.STRING, limit);
                  }
                });
        for (Throwable failure : failures) {
          assertEquals(
              "the object of rank 1 has 10 bytes, more than the least maxBytes of all ranks, 9",
              assertInstanceOf(ObjectCodecException.class, failure).getMessage());
        }
        assertUsable(ranks);
      }
    }
  }

  @Test
  void encoderThatThrows_failsTheCallAtAllRanksOnly() {
    try (Ranks ranks = Ranks.of(3)) {
      for (boolean one : new boolean[] {true, false}) {
        List<Throwable> failures =
            ranks.outcomes(
                (group, rank) -> {
                  int value = rank == 2 ? -5 : 5;
                  if (one) {
                    group.broadcastObject(value, 2, SMALL, LIMIT);
                  } else {
                    group.allgatherObject(value, SMALL, LIMIT);
                  }
                });
        for (int rank = 0; rank < 3; rank++) {
          ObjectCodecException failure =
              assertInstanceOf(ObjectCodecException.class, failures.get(rank));
          assertEquals(2, failure.rank());
          assertTrue(failure.getMessage().startsWith("rank 2 cannot encode its object"));
          assertEquals(rank == 2, failure.getCause() instanceof IllegalStateException);
        }
        assertUsable(ranks);
      }
    }
  }

  @Test
  void encoderThatRunsOutOfMemory_throwsItsErrorAfterTheOthersKnow() {
    ObjectCodec<String> broken =
        new ObjectCodec<>() {
          @Override
          public byte[] encode(String value) {
            throw new OutOfMemoryError("planned");
          }

          @Override
          public String decode(byte[] bytes) {
            return "";
          }
        };
    try (Ranks ranks = Ranks.of(2)) {
      List<Throwable> failures =
          ranks.outcomes((group, rank) -> group.broadcastObject("", 0, broken, LIMIT));
      assertInstanceOf(OutOfMemoryError.class, failures.get(0));
      assertInstanceOf(ObjectCodecException.class, failures.get(1));
      assertUsable(ranks);
    }
  }

  @Test
  void decoderThatThrows_failsTheCallAtThatRankOnly() {
    try (Ranks ranks = Ranks.of(3)) {
      for (boolean one : new boolean[] {true, false}) {
        List<Throwable> failures =
            ranks.outcomes(
                (group, rank) -> {
                  int value = rank == 1 ? 5000 : 5;
                  if (one) {
                    group.broadcastObject(value, 1, SMALL, LIMIT);
                  } else {
                    group.allgatherObject(value, SMALL, LIMIT);
                  }
                });
        assertEquals(null, failures.get(1)); // decodes nothing that it has sent itself
        for (int rank = 0; rank < 3; rank += 2) {
          ObjectCodecException failure =
              assertInstanceOf(ObjectCodecException.class, failures.get(rank));
          assertEquals(1, failure.rank());
          assertInstanceOf(IllegalStateException.class, failure.getCause());
          assertTrue(failure.getMessage().contains("of 4 bytes"), failure.getMessage());
        }
        assertUsable(ranks);
      }
    }
  }

  private static void assertUsable(Ranks ranks) {
    ranks.each(
        (group, rank) -> {
          int[] one = {1};
          group.allreduce(one, ReduceOp.SUM);
          assertEquals(group.size(), one[0]);
          List<Integer> all = group.allgatherObject(rank, SMALL, 4);
          assertEquals(IntStream.range(0, group.size()).boxed().toList(), all);
          assertTrue(group.failure().isEmpty());
        });
  }

  @Test
  void stringsThatAreNotUnicode_areRefused() {
    assertThrows(IllegalArgumentException.class, () -> ObjectCodec.STRING.encode("\ud83d"));
    byte[] half = {(byte) 0xc3};
    assertThrows(IllegalArgumentException.class, () -> ObjectCodec.STRING.decode(half));
  }

  @Test
  void impossibleArguments_areRefusedByName() {
    try (Ranks ranks = Ranks.of(1)) {
      ProcessGroup group = ranks.group(0);
      List<String> messages = new ArrayList<>();
      for (Runnable each :
          List.<Runnable>of(
              () -> group.broadcastObject("x", 1, ObjectCodec.STRING, LIMIT),
              () -> group.broadcastObject("x", 0, null, LIMIT),
              () -> group.allgatherObject("x", ObjectCodec.STRING, -1))) {
        messages.add(assertThrows(IllegalArgumentException.class, each::run).getMessage());
      }
      assertTrue(messages.get(0).startsWith("root must be 0 to 0"), messages.get(0));
      assertEquals("codec must not be null", messages.get(1));
      assertTrue(messages.get(2).startsWith("maxBytes must be 0 to "), messages.get(2));
    }
  }
}
