package io.jgloo.transport.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A connection somebody made to a listener of Gloo's kind: says the number of a pair, in eight
 * bytes.
 *
 * <p>One whose number is nobody's yet is kept; nothing more of it is read.
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
    loop.settle(link);
    leave();
    link.closeUnless(() -> seat.mesh().roster().accepted(seat.peer(), link));
  }

  /** One that has said its number may wait for its pair to be made. */
  @Override
  boolean isLate(long now) {
    return read < number.length && super.isLate(now);
  }

  @Override
  void failed(IOException cause) {
    loop.countRefused(link, cause);
  }
}
