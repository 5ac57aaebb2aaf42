package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Area;
import io.jgloo.transport.JobSecret;
import io.jgloo.transport.Rank;
import io.jgloo.transport.Request;
import io.jgloo.transport.capability.Diagnosis;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A device with a job secret refuses, counts and forgets connections that do not prove it. */
@Timeout(60)
class SecretHandshakeTest {

  private static final byte[] NONCE = Secrets.nonce(7);
  private static final byte[] WELCOME = WireBytes.welcome(WireBytes.ACCEPTED, 2, 4 << 20, 0);

  private interface Attack {
    void on(Victim victim, RoguePeer rogue) throws IOException;
  }

  private static void meet(Victim.Handshake handshake) {
    Victim.meet(Secrets.OPTIONS, handshake);
  }

  private static RoguePeer dial(Victim victim) throws IOException {
    return RoguePeer.dial(victim.mesh().address());
  }

  private static void awaitRefused(Victim victim, Rank rank, long count) {
    rank.until("counted", () -> Diagnosis.of(victim.mesh()).counters().get("refused") >= count);
    assertEquals(count, Diagnosis.of(victim.mesh()).counters().get("refused"));
  }

  /** A rogue that has the secret becomes rank 1, and a message arrives. */
  private static void joins(Victim victim, Rank rank) throws Exception {
    WireBytes.RawHello hello = victim.hello();
    try (RoguePeer peer = dial(victim)) {
      byte[] other = Secrets.challenge(peer, NONCE);
      peer.say(Secrets.sealed(Secrets.SECRET, NONCE, other, hello));
      byte[] answer = Secrets.sealedWelcome(NONCE, other, hello, WELCOME);
      assertArrayEquals(answer, peer.hear(answer.length));
      peer.say(WireBytes.confirmation());
      victim.connect();
      Area area = rank.area(3);
      Request recv = victim.recv(5, area);
      peer.say(WireBytes.frame(WireBytes.EAGER, 5, new byte[] {1, 2, 3}));
      victim.complete(recv);
      assertArrayEquals(new byte[] {1, 2, 3}, area.bytes(0, 3));
    }
  }

  @Test
  void handshakeAsDocumented_joins() {
    meet(SecretHandshakeTest::joins);
  }

  @Test
  void listenerProvesTheSecretWithAnotherNonceEachTime() {
    meet(
        (victim, rank) -> {
          byte[][] nonces = new byte[2][];
          for (int i = 0; i < nonces.length; i++) {
            try (RoguePeer peer = dial(victim)) {
              peer.say(Secrets.challenge(NONCE));
              byte[] answer = peer.hear(Secrets.CHALLENGE_BYTES + Secrets.MAC_BYTES);
              nonces[i] = Secrets.nonceOf(answer);
              assertArrayEquals(Secrets.answer(Secrets.SECRET, NONCE, nonces[i]), answer);
            }
          }
          assertTrue(!Arrays.equals(nonces[0], nonces[1]));
          awaitRefused(victim, rank, 2);
        });
  }

  static Stream<Arguments> attacks() {
    JobSecret other = Secrets.secret("the secret of another job");
    return Stream.of(
        attack("hello without a secret", SecretHandshakeTest::sayPlainHello),
        attack(
            "wrong secret",
            (victim, rogue) -> {
              byte[] nonce = Secrets.challenge(rogue, NONCE);
              rogue.say(Secrets.sealed(other, NONCE, nonce, victim.hello()));
            }),
        attack("replayed hello", SecretHandshakeTest::replay),
        attack(
            "hello changed behind its MAC",
            (victim, rogue) -> {
              byte[] nonce = Secrets.challenge(rogue, NONCE);
              byte[] sealed = Secrets.sealed(Secrets.SECRET, NONCE, nonce, victim.hello());
              sealed[64 + 7]++; // the epoch
              rogue.say(sealed);
            }),
        attack(
            "MAC of the listener reflected",
            (victim, rogue) -> {
              byte[] answer =
                  rogue
                      .say(Secrets.challenge(NONCE))
                      .hear(Secrets.CHALLENGE_BYTES + Secrets.MAC_BYTES);
              byte[] mac = Arrays.copyOfRange(answer, Secrets.CHALLENGE_BYTES, answer.length);
              rogue.say(victim.hello().bytes(), mac);
            }),
        attack(
            "two challenges",
            (victim, rogue) -> {
              byte[] challenge = Secrets.challenge(NONCE);
              rogue.say(challenge, challenge);
            }),
        attack(
            "http",
            (victim, rogue) ->
                rogue.say("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII))));
  }

  private static Arguments attack(String what, Attack attack) {
    return Arguments.of(what, attack);
  }

  private static void sayPlainHello(Victim victim, RoguePeer rogue) throws IOException {
    rogue.say(victim.hello().bytes());
    byte[] refusal = WireBytes.welcome(WireBytes.SECRET_NEEDED, 0, 0, 0);
    assertArrayEquals(refusal, rogue.hear(WireBytes.WELCOME_BYTES));
  }

  /** The bytes of a rank that has the secret, sent again on another connection. */
  private static void replay(Victim victim, RoguePeer rogue) throws IOException {
    byte[] said;
    try (RoguePeer overheard = dial(victim)) {
      byte[] nonce = Secrets.challenge(overheard, NONCE);
      said = Secrets.sealed(Secrets.SECRET, NONCE, nonce, victim.hello());
      overheard.say(said).hear(WireBytes.WELCOME_BYTES + Secrets.MAC_BYTES);
    }
    Secrets.challenge(rogue, NONCE);
    rogue.say(said);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("attacks")
  void connectionWithoutProof_isClosedAndCounted(String what, Attack attack) {
    meet(
        (victim, rank) -> {
          try (RoguePeer rogue = dial(victim)) {
            attack.on(victim, rogue);
            assertTrue(rogue.hearsTheEnd());
          }
          awaitRefused(victim, rank, 1);
          joins(victim, rank);
        });
  }

  @Test
  void connectionsThatSayTooLittle_areClosedAtTheDeadlineAndCounted() {
    Victim.meet(
        Secrets.OPTIONS.with("hello", 300),
        (victim, rank) -> {
          try (RoguePeer silent = dial(victim);
              RoguePeer half = dial(victim);
              RoguePeer challenging = dial(victim)) {
            half.say(new byte[] {'J', 'G', 'L'});
            challenging.say(Secrets.challenge(NONCE));
            challenging.hearAll();
            assertTrue(half.hearsTheEnd());
            assertTrue(silent.hearsTheEnd());
          }
          awaitRefused(victim, rank, 3);
        });
  }

  @Test
  void deviceWithoutASecret_refusesAChallengeWithItsReason() {
    Loopback.ranks(1)
        .run(
            rank -> {
              try (Victim victim = new Victim(rank);
                  RoguePeer rogue = dial(victim)) {
                rogue.say(Secrets.challenge(NONCE));
                byte[] refusal = WireBytes.welcome(WireBytes.NO_SECRET, 0, 0, 0);
                assertArrayEquals(refusal, rogue.hear(WireBytes.WELCOME_BYTES));
                assertTrue(rogue.hearsTheEnd());
                awaitRefused(victim, rank, 1);
              }
            });
  }
}
