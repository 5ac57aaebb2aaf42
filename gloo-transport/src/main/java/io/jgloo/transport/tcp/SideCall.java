package io.jgloo.transport.tcp;

import java.io.IOException;

/**
 * One connection of a {@link SideChannel}: says a hello and what belongs to it, reads the answer.
 */
final class SideCall extends ControlConnection {

  /** What to do with the answer; called by the device's thread. */
  interface Reply {

    /**
     * Bytes that follow the welcome.
     *
     * @throws io.jgloo.transport.ProtocolException if the welcome announces more than allowed
     */
    default int bytesBehind(Welcome welcome) {
      return 0;
    }

    /** The peer has answered. */
    void answered(Welcome welcome, byte[] behind);

    /** The peer has not answered in time, or the connection broke. */
    void failed(IOException cause);
  }

  private final byte[] request;
  private final Reply reply;
  private final byte[] answer = new byte[Welcome.BYTES];
  private boolean connected;
  private int written;
  private int read;
  private Welcome welcome;
  private byte[] behind;
  private int behindRead;

  SideCall(ControlLoop loop, Link link, byte[] request, long deadlineNanos, Reply reply) {
    super(loop, link, deadlineNanos);
    this.request = request;
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
    while (written < request.length && link.writable) {
      written += write(request, written);
    }
    while (written == request.length && read < answer.length && link.readable) {
      read += read(answer, read);
    }
    if (read == answer.length && welcome == null) {
      welcome = Welcome.decode(answer);
      behind = new byte[reply.bytesBehind(welcome)];
    }
    while (welcome != null && behindRead < behind.length && link.readable) {
      behindRead += read(behind, behindRead);
    }
    if (welcome != null && behindRead == behind.length) {
      drop();
      reply.answered(welcome, behind);
    }
  }

  /** Whether the device's closing should wait: the peer would never learn of it otherwise. */
  @Override
  boolean mustStay() {
    return written < request.length;
  }

  @Override
  void failed(IOException cause) {
    reply.failed(cause);
  }
}
