package io.jgloo.transport.tcp;

import io.jgloo.transport.GlooException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.UnavailableException;
import java.io.IOException;

/** One attempt of a {@link Dial}: connects, says hello, reads the welcome, confirms it. */
final class Approach extends Visitor {

  private final Dial dial;
  private final byte[] hello;
  private final byte[] answer = new byte[Welcome.BYTES];
  private boolean connected;
  private int written;
  private int read;

  Approach(ControlLoop loop, Link link, Dial dial, long deadlineNanos) {
    super(loop, link, deadlineNanos);
    this.dial = dial;
    TcpMesh mesh = dial.mesh();
    hello =
        Hello.join(
                mesh.membership(),
                mesh.incarnation(),
                dial.peer(),
                dial.endpoint().incarnation(),
                mesh.settings().windowBytes())
            .encode();
  }

  @Override
  void ready() throws IOException {
    if (!connected) {
      if (!link.writable || !link.finishConnect()) {
        return;
      }
      connected = true;
    }
    while (written < hello.length && link.writable) {
      written += write(hello, written);
    }
    while (written == hello.length && read < answer.length && link.readable) {
      read += read(answer, read);
    }
    if (read == answer.length) {
      welcomed(Welcome.decode(answer));
    }
  }

  private void welcomed(Welcome welcome) throws IOException {
    if (welcome.verdict() != Welcome.Verdict.ACCEPTED) {
      drop();
      report(refusal(welcome), !welcome.verdict().mayPass());
    } else if (dial.mesh().roster().wants(dial)) {
      confirm();
      leave();
      if (!dial.mesh().roster().dialled(dial, link, welcome.window())) {
        link.close();
      }
    } else {
      drop();
    }
  }

  /** From here on the peer counts us as connected, so nothing but its end may come between. */
  private void confirm() throws IOException {
    byte[] confirmation = Confirmation.encode();
    int taken = write(confirmation, 0);
    if (taken < confirmation.length) {
      throw new IOException("a fresh socket took only " + taken + " bytes");
    }
  }

  private GlooException refusal(Welcome welcome) {
    TcpMesh mesh = dial.mesh();
    String who = "rank " + dial.peer() + " at " + where(dial);
    return switch (welcome.verdict()) {
      case WRONG_SIZE ->
          new ProtocolException(
              who + " is in a group of size " + welcome.size() + ", this one of " + mesh.size());
      case WRONG_GROUP ->
          new ProtocolException(
              who
                  + " is in another group or epoch ("
                  + welcome.epoch()
                  + ") than "
                  + mesh.membership());
      case WRONG_RANK -> new ProtocolException(who + " does not think that it is that rank");
      case DUPLICATE -> new ProtocolException(who + " has a live connection to this rank already");
      default ->
          new UnavailableException(who + " no longer knows this group; its address is stale");
    };
  }

  @Override
  void failed(IOException cause) {
    report(unreachable(dial, cause), false);
  }

  static GlooException unreachable(Dial dial, IOException cause) {
    String reason = " cannot be reached: " + cause.getMessage();
    return new UnavailableException("rank " + dial.peer() + " at " + where(dial) + reason, cause);
  }

  private static String where(Dial dial) {
    return String.valueOf(dial.endpoint().listener()).replaceFirst("^[^/]*/", "");
  }

  private void report(GlooException cause, boolean forGood) {
    dial.mesh().roster().failed(dial, cause, forGood);
    if (!forGood) {
      loop.redial(dial);
    }
  }
}
