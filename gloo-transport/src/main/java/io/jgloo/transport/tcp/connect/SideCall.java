package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.tcp.socket.Link;
import io.jgloo.transport.tcp.wire.Welcome;
import io.jgloo.transport.tcp.wire.WireVersion;
import java.io.IOException;

/** One connection of a {@link SideChannel}: sends a hello with its payload, reads the answer. */
public final class SideCall extends ControlConnection {

  /** What to do with the answer; called by the device's thread. */
  public interface Reply {

    /**
     * Bytes that follow the welcome.
     *
     * @throws io.jgloo.transport.ProtocolException if the welcome announces more than allowed
     */
    default int bytesBehind(Welcome welcome) {
      return 0;
    }

    /** Whether the close of the device waits for the answer, not only until the request is sent. */
    default boolean isAwaited() {
      return false;
    }

    /** The peer has answered. */
    void answered(Welcome welcome, byte[] behind);

    /** The peer has not answered in time, or the connection broke. */
    void failed(IOException cause);
  }

  private byte[] request;
  private final Proof.Dialling proof; // null without a secret
  private final Reply reply;
  private final byte[] answer = new byte[Welcome.BYTES];
  private boolean connected;
  private boolean sealed;
  private int written;
  private int read;
  private Welcome welcome;
  private byte[] behind;
  private int behindRead;

  SideCall(ControlLoop loop, Link link, byte[] request, long deadlineNanos, Reply reply) {
    super(loop, link, deadlineNanos);
    this.request = request;
    proof = Proof.Dialling.of(loop.device());
    sealed = proof == null;
    this.reply = reply;
  }

  @Override
  void ready() throws IOException {
    if (!connected) {
      if (!link.writable || !link.finishConnect()) {
        return;
      }
      connected = true;
    }
    if (!link.secure()) {
      return;
    }
    if (!sealed) {
      if (!proof.exchange(this)) {
        return;
      }
      request = proof.sealRequest(request);
      sealed = true;
    }
    while (written < request.length && link.writable) {
      written += write(request, written);
    }
    while (written == request.length && read < answer.length && link.readable) {
      read += read(answer, read);
      WireVersion.requireWelcome(answer, read);
    }
    if (read == answer.length && welcome == null) {
      welcome = Welcome.decode(answer);
      behind = new byte[reply.bytesBehind(welcome)];
    }
    while (welcome != null && behindRead < behind.length && link.readable) {
      behindRead += read(behind, behindRead);
    }
    if (welcome != null && behindRead == behind.length && isProved()) {
      drop();
      reply.answered(welcome, behind);
    }
  }

  private boolean isProved() throws IOException {
    return proof == null || proof.checkAnswer(this, answer, behind);
  }

  /** Whether the close of the device waits for it: otherwise the peer would never receive it. */
  @Override
  boolean mustStay() {
    return written < request.length || reply.isAwaited();
  }

  @Override
  void failed(IOException cause) {
    reply.failed(cause);
  }
}
