package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.tcp.socket.Link;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.util.List;

/** One attempt of a {@link Dial} on Gloo's wires: connects, sends its number if there is one. */
public final class CppGlooConnectAttempt extends ControlConnection {

  private final Dial dial;
  private final byte[] number;

  CppGlooConnectAttempt(ControlLoop loop, Link link, Dial dial, long deadlineNanos, byte[] number) {
    super(loop, link, deadlineNanos);
    this.dial = dial;
    this.number = number;
  }

  @Override
  void ready() throws IOException {
    if (!loop.enter(dial.mesh(), this)) {
      return;
    }
    try {
      proceed();
    } finally {
      dial.mesh().unlock();
    }
  }

  private void proceed() throws IOException {
    if (!link.writable || !link.finishConnect()) {
      return;
    }
    if (!dial.mesh().connectionTable().wants(dial)) {
      drop();
      return;
    }
    // In one piece: C++ reads once and drops a connection whose number is not complete.
    if (write(number, 0) < number.length) {
      throw new IOException("a new socket accepted less than " + number.length + " bytes");
    }
    leave();
    link.closeUnless(() -> dial.mesh().connectionTable().dialled(dial, List.of(link), 0));
  }

  @Override
  void failed(IOException cause) {
    ConnectAttempt.Outcome outcome =
        cause instanceof ConnectException
            ? ConnectAttempt.Outcome.NO_LISTENER
            : ConnectAttempt.Outcome.MAY_PASS;
    IOException seen =
        cause instanceof SocketTimeoutException ? ConnectAttempt.unanswered(false) : cause;
    dial.mesh()
        .connectionTable()
        .failed(dial, ConnectAttempt.unreachable(loop, dial, seen), outcome);
    loop.redial(dial);
  }
}
