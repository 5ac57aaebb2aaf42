package io.jgloo.transport.ibverbs;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Address;
import io.jgloo.transport.AuthenticationException;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.JobSecret;
import io.jgloo.transport.MeshConnectException;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.ThreadRanks;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Queue pairs are connected through a TCP mesh that has the job secret of the device. */
@Timeout(60)
class IbverbsSecretTest {

  private static JobSecret secret(String text) {
    return JobSecret.of(("the secret is " + text).getBytes(US_ASCII));
  }

  @Test
  void ranksWithTheSameSecret_exchangeMessages() {
    SoftRanks soft = SoftRanks.prompt().with(secret("red"));
    new ThreadRanks(2, rank -> soft.open())
        .run(
            rank -> {
              assertTrue(rank.device().secret().isPresent());
              rank.tell(1 - rank.rank(), 1);
              rank.hear(1 - rank.rank(), 1);
            });
    soft.check();
  }

  @Test
  void otherSecret_isRefused() {
    SoftRanks soft = SoftRanks.prompt();
    Ranks ranks = new ThreadRanks(2, rank -> soft.with(secret(rank == 0 ? "red" : "blue")).open());
    ranks.runUnconnected(
        rank -> {
          List<Address> addresses = rank.addresses("world");
          JGlooException cause;
          do { // the listening side cannot know who it was
            Duration limit = Duration.ofMillis(rank.rank() == 0 ? 100 : 50_000);
            MeshConnectException failure =
                assertThrows(
                    MeshConnectException.class, () -> rank.mesh().connect(addresses, limit));
            cause = failure.causes().get(1 - rank.rank());
          } while (rank.rank() == 0 && !(cause instanceof AuthenticationException));
          assertInstanceOf(AuthenticationException.class, cause);
          rank.meet();
        });
    soft.check();
  }
}
