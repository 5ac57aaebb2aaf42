package io.jgloo.transport.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.ReductionContract;
import io.jgloo.transport.Request;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A bit that the network changes ends the group with checksums, and is a wrong result without. */
@Timeout(200)
class ChecksumFaultTest {

  private static final int SEEDS = 40;
  private static final int MESSAGES = 400;

  private final AtomicInteger found = new AtomicInteger();
  private final AtomicInteger wrong = new AtomicInteger();

  /** Lengths of eager, announced and cut messages; some arrive before their receive. */
  @ParameterizedTest
  @CsvSource({"1, 100", "1, 3000", "1, 20000", "1, 60000", "3, 70000", "3, 200000"})
  void changedBit_isAProtocolErrorThatNamesTheLink(int connections, int bytes) {
    for (long seed = 1; seed <= SEEDS / 4; seed++) {
      exchange(seed, "crc32c", connections, bytes);
    }
    assertTrue(found.get() >= SEEDS / 8, "only " + found + " changes were found");
    assertTrue(wrong.get() == 0, wrong + " messages were wrong");
  }

  /** A receive that reduces takes a message of which a part is here, cut within an element. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void messageThatIsHalfHere_isSummedOnce(long seed) {
    int bytes = 60_000;
    SimWorld world =
        new SimWorld(2, seed)
            .with("checksum", "crc32c")
            .with("window", 1 << 20)
            .with("eager", bytes)
            .link(0, 1, LinkModel.DEFAULT.rate(1e6));
    world.run(
        (rank, device) -> {
          try (Talk talk = new Talk(world, device, new Membership("w", 0, rank, 2), bytes)) {
            if (rank == 0) {
              assertEquals(Optional.empty(), talk.end(talk.send(1, 1, 0, bytes, seed)));
              world.sleep(Duration.ofSeconds(1));
            } else {
              Request other = talk.recv(0, 2, 0, 8);
              assertFalse(talk.isDoneWithin(other, Duration.ofMillis(5 * seed)));
              Request reduced = talk.recvReduced(0, 1, bytes, new ReductionContract.Sum(24));
              assertEquals(Optional.empty(), talk.end(reduced));
            }
          }
        });
  }

  /** The fault is real: without checksums payloads are wrong, or the stream is out of step. */
  @Test
  void withoutChecksums_aChangedBitIsAWrongResult() {
    for (long seed = 1; wrong.get() == 0 && seed <= SEEDS; seed++) {
      exchange(seed, "off", 1, 20_000);
    }
    assertTrue(wrong.get() > 0, "no message was wrong");
  }

  private void exchange(long seed, String checksum, int connections, int bytes) {
    SimWorld world =
        new SimWorld(2, seed).with("checksum", checksum).with("connections", connections);
    int to = (int) seed % 2;
    world.at(Duration.ofMillis(2 + seed % 7), () -> world.faults().flip(1 - to, to));
    world.run(
        (rank, device) -> {
          try (Talk talk = new Talk(world, device, new Membership("w", 0, rank, 2), 2 * bytes)) {
            Optional<JGlooException> failure = Optional.empty();
            for (int i = 0; i < MESSAGES && failure.isEmpty(); i++) {
              failure = exchange(talk, rank, bytes, i, i % 3 == 0 ? world : null);
            }
            if (checksum.equals("crc32c")) {
              check(failure.orElseThrow(() -> new AssertionError("seed " + seed)), rank == to);
            }
          }
        });
  }

  private Optional<JGlooException> exchange(
      Talk talk, int rank, int bytes, int number, SimWorld late) {
    Request send = talk.send(1 - rank, 1, 0, bytes, 2 * number + rank);
    if (late != null) {
      late.sleep(Duration.ofNanos(20_000L * rank));
    }
    Request recv = talk.recv(1 - rank, 1, bytes, bytes);
    Optional<JGlooException> failure = end(talk, recv).or(() -> end(talk, send));
    if (failure.isEmpty()) {
      try {
        talk.check(bytes, bytes, 2 * number + 1 - rank);
      } catch (AssertionError e) {
        wrong.incrementAndGet();
      }
    }
    return failure;
  }

  /** Without checksums a changed header may leave the ranks waiting for each other. */
  private static Optional<JGlooException> end(Talk talk, Request request) {
    if (!talk.isDoneWithin(request, Talk.LONG)) {
      talk.mesh().close();
    }
    return Optional.ofNullable(request.failure());
  }

  private void check(JGlooException failure, boolean receiver) {
    if (receiver) { // the other rank may find its connections closed before it reads the reason
      String message = failure.getMessage();
      assertTrue(message.contains("peer ") && message.contains("CRC-32C"), message);
      found.incrementAndGet();
      assertInstanceOf(ProtocolException.class, failure, message);
    }
  }
}
