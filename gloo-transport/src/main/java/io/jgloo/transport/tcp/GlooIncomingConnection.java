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
final class GlooIncomingConnection extends ControlConnection {

  private final byte[] number = new byte[Long.BYTES];
  private int read;

  GlooIncomingConnection(ControlLoop loop, Link link, long deadlineNanos) {
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
    PairNumbers.NumberedPair pair =
        loop.device()
            .pairNumbers()
            .find(ByteBuffer.wrap(number).order(ByteOrder.nativeOrder()).getLong());
    if (pair == null) {
      return;
    }
    if (!loop.enter(pair.mesh(), this)) {
      return;
    }
    try {
      loop.settle(link);
      leave();
      link.closeUnless(() -> pair.mesh().connectionTable().accepted(pair.peer(), link));
    } finally {
      pair.mesh().unlock();
    }
  }

  @Override
  void failed(IOException cause) {
    loop.countRefused(link, cause);
  }
}
