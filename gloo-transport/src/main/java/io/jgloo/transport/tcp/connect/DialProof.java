package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.JobKey;
import io.jgloo.transport.JobSecret;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.engine.Platform;
import io.jgloo.transport.tcp.wire.AuthenticationFailure;
import io.jgloo.transport.tcp.wire.Challenge;
import io.jgloo.transport.tcp.wire.Hello;
import io.jgloo.transport.tcp.wire.Welcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The dialling side of a {@link Proof}. */
public final class DialProof extends Proof {

  private final byte[] challenge;
  private byte[] answer = new byte[Welcome.BYTES]; // or the refusal of a device without a secret
  private int written;
  private int read;
  private boolean proved;

  private DialProof(JobSecret secret, Platform platform) {
    super(secret);
    dialNonce = Challenge.newNonce(platform);
    challenge = Challenge.encode(dialNonce);
  }

  /** Null if the device has no secret. */
  static DialProof of(ConnectDevice device) {
    JobSecret secret = device.secret().orElse(null);
    return secret == null ? null : new DialProof(secret, device.platform());
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
