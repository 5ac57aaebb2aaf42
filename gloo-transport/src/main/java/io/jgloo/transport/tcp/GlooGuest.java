package io.jgloo.transport.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A connection somebody made to a listener of Gloo's kind: says the number of a pair, in eight
 * bytes.
 *
 * <p>A mesh has its numbers before it tells them to a peer, so one whose number is no pair's is
 * most likely no peer; it is kept until its deadline, and nothing more of it is read.
 */
final class GlooGuest extends Visitor {

  private final byte[] number = new byte[Long.BYTES];
  private int read;

  GlooGuest(ControlLoop loop, Link link, long deadlineNanos) {
    super(loop, link, deadlineNanos);
  }

  @Override
  void ready() throws IOException {
    while (read < number.length && link.readable) {
      read += read(number, read);
    }
    if (read == number.length) {
      join();
    }
  }

  /** Looks for the pair whose number it has said. */
  void join() {
    if (read < number.length || isGone()) {
      return;
    }
    Seats.Seat seat =
        loop.device()
            .seats()
            .find(ByteBuffer.wrap(number).order(ByteOrder.nativeOrder()).getLong());
    if (seat == null) {
      return;
    }
    if (!loop.enter(seat.mesh(), this)) {
      return;
    }
    try {
      loop.settle(link);
      leave();
      link.closeUnless(() -> seat.mesh().roster().accepted(seat.peer(), link));
    } finally {
      seat.mesh().unlock();
    }
  }

  @Override
  void failed(IOException cause) {
    loop.countRefused(link, cause);
  }
}
