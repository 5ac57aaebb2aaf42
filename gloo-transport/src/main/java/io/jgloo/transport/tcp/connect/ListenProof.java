package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.JobKey;
import io.jgloo.transport.JobSecret;
import io.jgloo.transport.engine.Platform;
import io.jgloo.transport.tcp.wire.Challenge;
import java.io.IOException;
import java.util.Arrays;

/** The listening side of a {@link Proof}. */
public final class ListenProof extends Proof {

  private final byte[] reply;
  private int written;

  /**
   * @param challenge of the dialling side
   */
  ListenProof(JobSecret secret, Platform platform, byte[] challenge) {
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
