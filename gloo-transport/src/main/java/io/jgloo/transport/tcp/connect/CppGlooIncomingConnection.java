package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.tcp.socket.Link;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A connection accepted by a Gloo listener: sends the number of a pair, in eight bytes.
 *
 * <p>A mesh publishes its numbers after it has registered them, so a connection with an unknown
 * number is probably not a peer's; it is kept until its deadline, and no more of it is read.
 */
public final class CppGlooIncomingConnection extends ControlConnection {

  private final byte[] number = new byte[Long.BYTES];
  private int read;

  CppGlooIncomingConnection(ControlLoop loop, Link link, long deadlineNanos) {
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

  /** Joins the pair whose number it has sent. */
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
