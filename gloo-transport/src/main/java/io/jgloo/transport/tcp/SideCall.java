package io.jgloo.transport.tcp;

import java.io.IOException;
import java.util.function.Consumer;

/**
 * One connection of a {@link SideChannel}: says a hello and what belongs to it, reads the answer.
 */
final class SideCall extends Visitor {

  private final byte[] request;
  private final byte[] answer = new byte[Welcome.BYTES];
  private final Consumer<Welcome> answered;
  private final Consumer<IOException> failed;
  private boolean connected;
  private int written;
  private int read;

  SideCall(
      ControlLoop loop,
      Link link,
      byte[] request,
      long deadlineNanos,
      Consumer<Welcome> answered,
      Consumer<IOException> failed) {
    super(loop, link, deadlineNanos);
    this.request = request;
    this.answered = answered;
    this.failed = failed;
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
    if (read == answer.length) {
      Welcome welcome = Welcome.decode(answer);
      drop();
      answered.accept(welcome);
    }
  }

  /** Whether the device's closing should wait: the peer would never learn of it otherwise. */
  @Override
  boolean mustStay() {
    return written < request.length;
  }

  @Override
  void failed(IOException cause) {
    failed.accept(cause);
  }
}
