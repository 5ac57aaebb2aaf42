package io.jgloo.transport.tcp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.JobSecret;
import io.jgloo.transport.JobSecret.JobKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The handshake with a job secret as it is documented, written without the classes it tests. */
final class Secrets {

  static final JobSecret SECRET = secret("the secret of this job");
  static final DeviceOptions OPTIONS = Loopback.OPTIONS.withSecret(SECRET);

  static final int CHALLENGE_BYTES = 40;
  static final int MAC_BYTES = 32;

  /** "JGLOOA", zero, version 1. */
  private static final long MAGIC = 0x4a47_4c4f_4f41_0001L;

  private Secrets() {}

  static JobSecret secret(String text) {
    return JobSecret.of(text.getBytes(US_ASCII));
  }

  static byte[] challenge(byte[] nonce) {
    return ByteBuffer.allocate(CHALLENGE_BYTES).putLong(MAGIC).put(nonce).array();
  }

  static byte[] nonce(int fill) {
    byte[] nonce = new byte[CHALLENGE_BYTES - Long.BYTES];
    Arrays.fill(nonce, (byte) fill);
    return nonce;
  }

  /** The nonce in the answer to a challenge. */
  static byte[] nonceOf(byte[] answer) {
    return Arrays.copyOfRange(answer, Long.BYTES, CHALLENGE_BYTES);
  }

  static byte[] answer(JobSecret secret, byte[] dialNonce, byte[] listenNonce) {
    byte[] mac = secret.key("connection", "", 0).mac(ascii("listen"), dialNonce, listenNonce);
    return WireBytes.join(challenge(listenNonce), mac);
  }

  private static JobKey key(JobSecret secret, WireBytes.RawHello hello) {
    return secret.key("handshake", Long.toHexString(hello.group), hello.epoch);
  }

  static byte[] sealed(
      JobSecret secret, byte[] dialNonce, byte[] listenNonce, WireBytes.RawHello hello) {
    byte[] bytes = hello.bytes();
    return WireBytes.join(
        bytes, key(secret, hello).mac(ascii("hello"), dialNonce, listenNonce, bytes));
  }

  static byte[] sealedWelcome(
      byte[] dialNonce, byte[] listenNonce, WireBytes.RawHello hello, byte[] welcome) {
    byte[] mac =
        key(SECRET, hello).mac(ascii("welcome"), dialNonce, listenNonce, hello.bytes(), welcome);
    return WireBytes.join(welcome, mac);
  }

  /** Exchanges challenges; the nonce of the other side. */
  static byte[] challenge(RoguePeer rogue, byte[] nonce) throws IOException {
    return nonceOf(rogue.say(challenge(nonce)).hear(CHALLENGE_BYTES + MAC_BYTES));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(US_ASCII);
  }
}
