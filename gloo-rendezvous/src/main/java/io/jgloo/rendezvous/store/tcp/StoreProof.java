package io.jgloo.rendezvous.store.tcp;

import io.jgloo.rendezvous.time.Deadline;
import io.jgloo.transport.AuthenticationException;
import io.jgloo.transport.JobSecret;
import io.jgloo.transport.JobSecret.JobKey;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * The proof of client and server to each other that they have the job's secret, before the client's
 * greeting. A server with a secret carries out no request of a connection before.
 *
 * <pre>
 *   client                                     server
 *     VALIDATE, byte 64, nonce c      --&gt;
 *                                     &lt;--      nonce s, MAC("server", c, s)
 *     MAC("client", c, s)             --&gt;
 * </pre>
 *
 * <p>Nonces and MACs have 32 bytes. A server without a secret closes the connection at byte 64,
 * which is no request; a server with a secret answers a PING in its place with {@link #NEEDED}.
 */
final class StoreProof {
  static final byte OPCODE = 64;
  static final int NONCE_BYTES = 32;

  /** "JGSN": a job secret is needed. */
  static final int NEEDED = 0x4a47534e;

  private static final byte[] SERVER = "server".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] CLIENT = "client".getBytes(StandardCharsets.US_ASCII);
  private static final SecureRandom RANDOM = new SecureRandom();

  /** The server ended the connection before it proved anything. */
  static final class UnansweredException extends IOException {
    private static final long serialVersionUID = 1L;

    UnansweredException(String instead, IOException cause) {
      super("the server closed the connection instead of " + instead, cause);
    }
  }

  private final JobKey key;

  StoreProof(JobSecret secret) {
    key = secret.key("store", "", 0);
  }

  static byte[] newNonce() {
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    return nonce;
  }

  /**
   * Performs the exchange as a client.
   *
   * @throws AuthenticationException if the server has another secret
   * @throws UnansweredException if it closes the connection, as one without a secret does
   */
  void exchange(StoreConnection connection, Deadline deadline) throws IOException {
    byte[] nonce = newNonce();
    StoreRequestBuffer begin =
        new StoreRequestBuffer().opcode(StoreOpcode.VALIDATE).word(StoreOpcode.MAGIC);
    connection.send(begin.bytes(new byte[] {OPCODE}).bytes(nonce), deadline);
    byte[] answer;
    try {
      answer = connection.readBytes(NONCE_BYTES + JobKey.MAC_BYTES, deadline);
    } catch (EOFException e) {
      if (connection.holds(StoreTls.NEEDED)) {
        throw StoreTls.needed();
      }
      throw new UnansweredException("proving to have the job secret", e);
    }
    byte[] other = Arrays.copyOf(answer, NONCE_BYTES);
    byte[] mac = Arrays.copyOfRange(answer, NONCE_BYTES, answer.length);
    if (!key.verifies(mac, SERVER, nonce, other)) {
      throw new AuthenticationException("the server of the store has another job secret");
    }
    connection.send(new StoreRequestBuffer().bytes(key.mac(CLIENT, nonce, other)), deadline);
  }

  byte[] serverMac(byte[] clientNonce, byte[] serverNonce) {
    return key.mac(SERVER, clientNonce, serverNonce);
  }

  boolean isClientMac(byte[] mac, byte[] clientNonce, byte[] serverNonce) {
    return key.verifies(mac, CLIENT, clientNonce, serverNonce);
  }
}
