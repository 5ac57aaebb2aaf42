package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.JobSecret;
import io.jgloo.transport.JobSecret.JobKey;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.engine.Platform;
import io.jgloo.transport.tcp.wire.AuthenticationFailure;
import io.jgloo.transport.tcp.wire.Challenge;
import io.jgloo.transport.tcp.wire.Hello;
import io.jgloo.transport.tcp.wire.Welcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The proof of the two sides of a connection to each other that they have the job's secret.
 *
 * <pre>
 *   dialling side                          listening side
 *     challenge c                    --&gt;
 *                                    &lt;--     challenge s, MAC("listen", c, s)
 *     hello, body, MAC("hello", c, s, hello and body)     --&gt;
 *                                    &lt;--     welcome, body, MAC("welcome", c, s, hello and body,
 *                                            welcome and body)
 * </pre>
 *
 * <p>The MAC of the listening side comes first, so the hello, which names group and ranks, goes to
 * a process of the job only. Its key is derived from the secret alone, as no group has been named
 * yet; those of the other two for group and epoch of the hello.
 *
 * <p><i>Threads</i>: the device's thread.
 */
public abstract class Proof {

  private static final byte[] LISTEN = word("listen");
  private static final byte[] HELLO = word("hello");
  private static final byte[] WELCOME = word("welcome");

  private final JobSecret secret;
  private final byte[] tag = new byte[JobKey.MAC_BYTES];
  private int tagRead;
  byte[] dialNonce;
  byte[] listenNonce;
  private JobKey key;
  private byte[] request;

  Proof(JobSecret secret) {
    this.secret = secret;
  }

  private static byte[] word(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] concat(byte[] first, byte[] second) {
    byte[] all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }

  private JobKey connectionKey() {
    return secret.key("connection", "", 0);
  }

  final byte[] listenTag() {
    return connectionKey().mac(LISTEN, dialNonce, listenNonce);
  }

  final boolean isListenTag(byte[] mac) {
    return connectionKey().verifies(mac, LISTEN, dialNonce, listenNonce);
  }

  private void use(Hello hello, byte[] whole) {
    key = secret.key("handshake", Long.toHexString(hello.group()), hello.epoch());
    request = whole;
  }

  /** The hello and what follows it, with their MAC. */
  final byte[] sealRequest(byte[] whole) {
    use(Hello.decode(Arrays.copyOf(whole, Hello.BYTES)), whole);
    return concat(whole, key.mac(HELLO, dialNonce, listenNonce, request));
  }

  /**
   * Reads the MAC of a hello and what follows it; false if more bytes have to come.
   *
   * @throws AuthenticationFailure if it is wrong
   */
  final boolean checkRequest(ControlConnection from, Hello hello, byte[] bytes, byte[] body)
      throws IOException {
    if (!readTag(from)) {
      return false;
    }
    use(hello, concat(bytes, body));
    require(key.verifies(tag, HELLO, dialNonce, listenNonce, request));
    return true;
  }

  /** The welcome and what follows it, with their MAC. */
  final byte[] sealAnswer(byte[] whole) {
    return concat(whole, key.mac(WELCOME, dialNonce, listenNonce, request, whole));
  }

  /**
   * Reads the MAC of a welcome and what follows it; false if more bytes have to come.
   *
   * @throws AuthenticationFailure if it is wrong
   */
  final boolean checkAnswer(ControlConnection from, byte[] welcome, byte[] body)
      throws IOException {
    if (!readTag(from)) {
      return false;
    }
    byte[] answer = concat(welcome, body);
    require(key.verifies(tag, WELCOME, dialNonce, listenNonce, request, answer));
    return true;
  }

  private boolean readTag(ControlConnection from) throws IOException {
    while (tagRead < tag.length && from.link.readable) {
      tagRead += from.read(tag, tagRead);
    }
    return tagRead == tag.length;
  }

  static void require(boolean proved) throws AuthenticationFailure {
    if (!proved) {
      throw new AuthenticationFailure("it has another job secret");
    }
  }

  /** The listening side of a proof. */
  static final class Listening extends Proof {

    private final byte[] reply;
    private int written;

    /**
     * @param challenge of the dialling side
     */
    Listening(JobSecret secret, Platform platform, byte[] challenge) {
      super(secret);
      dialNonce = Challenge.nonce(challenge);
      listenNonce = Challenge.newNonce(platform);
      reply = Arrays.copyOf(Challenge.encode(listenNonce), Challenge.BYTES + JobKey.MAC_BYTES);
      System.arraycopy(listenTag(), 0, reply, Challenge.BYTES, JobKey.MAC_BYTES);
    }

    /** Writes the answer to the challenge; false if some of it has to wait. */
    boolean answer(ControlConnection on) throws IOException {
      while (written < reply.length && on.link.writable) {
        written += on.write(reply, written);
      }
      return written == reply.length;
    }
  }

  /** The dialling side of a proof. */
  static final class Dialling extends Proof {

    private final byte[] challenge;
    private byte[] answer = new byte[Welcome.BYTES]; // or the refusal of a device without a secret
    private int written;
    private int read;
    private boolean proved;

    private Dialling(JobSecret secret, Platform platform) {
      super(secret);
      dialNonce = Challenge.newNonce(platform);
      challenge = Challenge.encode(dialNonce);
    }

    /** Null if the device has no secret. */
    static Dialling of(ConnectDevice device) {
      JobSecret secret = device.secret().orElse(null);
      return secret == null ? null : new Dialling(secret, device.platform());
    }

    /**
     * Exchanges the challenges; false if more bytes have to come or go.
     *
     * @throws AuthenticationFailure if the peer has another secret or none
     */
    boolean exchange(ControlConnection on) throws IOException {
      while (written < challenge.length && on.link.writable) {
        written += on.write(challenge, written);
      }
      while (written == challenge.length && read < answer.length && on.link.readable) {
        read += on.read(answer, read);
        if (read == Welcome.BYTES && answer.length == Welcome.BYTES) {
          requireChallenge();
          answer = Arrays.copyOf(answer, Challenge.BYTES + JobKey.MAC_BYTES);
        }
      }
      if (read == answer.length && !proved) {
        listenNonce = Challenge.nonce(answer);
        require(isListenTag(Arrays.copyOfRange(answer, Challenge.BYTES, answer.length)));
        proved = true;
      }
      return proved;
    }

    private void requireChallenge() throws AuthenticationFailure {
      long magic = ByteBuffer.wrap(answer).getLong();
      if (magic == Hello.MAGIC && Welcome.decode(answer).status() == Welcome.Status.NO_SECRET) {
        throw new AuthenticationFailure("it has no job secret");
      }
      if (magic == Hello.MAGIC && Welcome.decode(answer).status() == Welcome.Status.TLS_NEEDED) {
        throw new AuthenticationFailure("it requires TLS: set attribute tls-certificate");
      }
      if (magic != Challenge.MAGIC) {
        throw new ProtocolException("the answer is not a challenge");
      }
    }
  }
}
