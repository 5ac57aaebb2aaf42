package io.jgloo.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranks that disagree get the facts of both sides, not garbage and no hang. */
public interface MismatchContract extends DeviceUnderTest {

  @ParameterizedTest
  @CsvSource({
    "8, 7",
    "0, 1",
    "1, 0",
    "100000, 100001",
    "3000000, 8",
    "0, 3000000",
    "3000001, 3000000"
  })
  default void lengths(int sent, int posted) {
    needs(Ability.NOTICES);
    boolean odd = sent % 2 == 1;
    for (boolean unexpected : new boolean[] {false, true}) {
      for (boolean any : new boolean[] {false, true}) {
        if (Ranks.FULL || odd == (unexpected != any)) { // each way small and large
          mismatch(sent, posted, 0, 0, unexpected, any);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 1, 2", "3000000, 1, 2", "8, -1, 0"})
  default void fingerprints(int bytes, long sent, long posted) {
    needs(Ability.FINGERPRINTS);
    for (boolean unexpected : new boolean[] {false, true}) {
      for (boolean any : new boolean[] {false, true}) {
        mismatch(bytes, bytes, sent, posted, unexpected, any);
      }
    }
  }

  @Test
  default void lowHalfCounts() {
    needs(Ability.FINGERPRINTS);
    ranks(2)
        .run(
            rank -> {
              Request request = rank.request(4, rank.area(8)).fingerprint(5, rank.rank());
              if (rank.rank() == 0) {
                rank.send(1, request);
              } else {
                rank.recv(0, request);
              }
              rank.fails(MismatchException.class, rank.recv(1 - rank.rank(), 99, rank.area(1)));
            });
  }

  @Test
  default void equalFingerprintsPass() {
    ranks(2)
        .run(
            rank -> {
              for (int bytes : new int[] {0, 8, 100_000, 3_000_000}) {
                Request request =
                    rank.request(4, rank.area(bytes)).fingerprint(Long.MIN_VALUE, -bytes);
                if (rank.rank() == 0) {
                  rank.send(1, request);
                } else {
                  rank.recv(0, request);
                }
                rank.complete(request);
              }
            });
  }

  /** The third rank is notified too, so it does not wait for the two that disagree. */
  private void mismatch(
      int sent, int posted, long sentPrint, long postedPrint, boolean unexpected, boolean any) {
    ranks(3)
        .run(
            rank -> {
              if (rank.rank() == 0) {
                Request send = rank.request(4, rank.area(sent).fill(1)).fingerprint(sentPrint, 3);
                Request waiting = rank.recv(1, 99, rank.area(1));
                rank.send(1, send);
                rank.end(rank.send(1, 2, rank.area(1)));
                check(rank, rank.fails(MismatchException.class, waiting), sent, posted);
                rank.end(send);
              } else if (rank.rank() == 1) {
                Request recv =
                    rank.request(4, rank.area(posted).fill(2)).fingerprint(postedPrint, 3);
                if (unexpected) {
                  rank.hear(0, 2);
                }
                if (any) {
                  rank.mesh().recvAny(recv, Rank.set(0, 2));
                } else {
                  rank.recv(0, recv);
                }
                MismatchException failure = rank.fails(MismatchException.class, recv);
                check(rank, failure, sent, posted);
                assertEquals(sentPrint, failure.second().fingerprintHigh());
                assertEquals(postedPrint, failure.first().fingerprintHigh());
                assertEquals(3, failure.second().fingerprintLow());
                Request later = rank.recv(2, 1, rank.area(1));
                rank.fails(MismatchException.class, later);
              } else {
                Request waiting = rank.recv(1, 99, rank.area(1));
                check(rank, rank.fails(MismatchException.class, waiting), sent, posted);
              }
            });
  }

  private static void check(Rank rank, MismatchException failure, int sent, int posted) {
    assertEquals(1, failure.first().rank());
    assertEquals(0, failure.second().rank());
    assertEquals(4, failure.first().slot());
    assertEquals(4, failure.second().slot());
    assertEquals(posted, failure.first().length());
    assertEquals(sent, failure.second().length());
    assertNotEquals("", failure.getMessage());
    assertTrue(rank.mesh().failure().orElseThrow() instanceof MismatchException);
  }
}
