package io.jgloo.transport.tcp;

import java.io.IOException;
import java.net.ConnectException;
import java.util.List;

/** One attempt of a {@link Dial} on Gloo's wires: connects, says its number if there is one. */
final class GlooApproach extends Visitor {

  private final Dial dial;
  private final byte[] number;

  GlooApproach(ControlLoop loop, Link link, Dial dial, long deadlineNanos, byte[] number) {
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
    if (!dial.mesh().roster().wants(dial)) {
      drop();
      return;
    }
    // In one piece: C++ reads once and drops whoever has not said it all.
    if (write(number, 0) < number.length) {
      throw new IOException("a fresh socket took less than " + number.length + " bytes");
    }
    leave();
    link.closeUnless(() -> dial.mesh().roster().dialled(dial, List.of(link), 0));
  }

  @Override
  void failed(IOException cause) {
    Attempt attempt = cause instanceof ConnectException ? Attempt.NOBODY : Attempt.MAY_PASS;
    dial.mesh().roster().failed(dial, Approach.unreachable(dial, cause), attempt);
    loop.redial(dial);
  }
}
