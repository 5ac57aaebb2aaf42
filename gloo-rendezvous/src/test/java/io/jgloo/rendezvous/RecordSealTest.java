package io.jgloo.rendezvous;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.join.RecordSeal;
import io.jgloo.transport.JobSecret;
import io.jgloo.transport.Membership;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A sealed value is authentic as it was written, and nowhere else. */
@Timeout(60)
final class RecordSealTest {
  private static final String KEY = "rank/1";
  private static final byte[] PAYLOAD = "payload".getBytes(US_ASCII);

  private static RecordSeal seal(String secret, String group, long epoch) {
    Optional<JobSecret> found = Optional.of(JobSecret.of(secret.getBytes(US_ASCII)));
    return RecordSeal.of(found, new Membership(group, epoch, 0, 2));
  }

  private final RecordSeal seal = seal("the secret of a job", "world", 3);
  private final RecordSeal none = RecordSeal.of(Optional.empty(), new Membership("world", 3, 0, 2));
  private final byte[] sealed = seal.seal(KEY, PAYLOAD);

  @Test
  void sealedValue_isAuthenticAndHasItsPayload() {
    assertEquals(52 + PAYLOAD.length, sealed.length);
    assertTrue(seal.isAuthentic(KEY, sealed));
    assertArrayEquals(PAYLOAD, seal.payload(sealed));
  }

  @Test
  void eachChangedBit_isDetected() {
    for (int bit = 0; bit < 8 * sealed.length; bit++) {
      byte[] changed = sealed.clone();
      changed[bit / 8] ^= (byte) (1 << (bit % 8));
      assertFalse(seal.isAuthentic(KEY, changed), "bit " + bit);
    }
    assertFalse(seal.isAuthentic(KEY, new byte[0]));
  }

  @Test
  void valueOfAnotherPlace_isForeign() {
    assertFalse(seal.isAuthentic("rank/2", sealed));
    assertFalse(seal("the secret of a job", "other", 3).isAuthentic(KEY, sealed));
    assertFalse(seal("the secret of a job", "world", 4).isAuthentic(KEY, sealed));
  }

  @Test
  void reasonNamesTheOtherJob() {
    RecordSeal other = seal("another secret, longer", "world", 3);
    String reason = other.whyForeign(KEY, sealed).orElseThrow();
    assertTrue(reason.matches("it is of job [0-9a-f]{8}, this rank is of job .*"), reason);
    assertTrue(seal.whyForeign(KEY, PAYLOAD).orElseThrow().startsWith("it has no MAC"));
    assertTrue(none.whyForeign(KEY, sealed).orElseThrow().endsWith("has no job secret"));
  }

  @Test
  void withoutASecret_valuesAreUnchanged() {
    assertArrayEquals(PAYLOAD, none.seal(KEY, PAYLOAD));
    assertArrayEquals(PAYLOAD, none.payload(PAYLOAD));
    assertTrue(none.isAuthentic(KEY, PAYLOAD));
  }
}
