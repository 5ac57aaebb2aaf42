package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.tcp.socket.Acceptor;
import io.jgloo.transport.tcp.socket.Poller;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Keeps a listener that cannot accept out of the poller for a moment.
 *
 * <p>Connections wait in its queue, so a selector would report it in each turn; it reports them
 * when the listener is added again.
 *
 * <p><i>Threads</i>: {@link #last} any, the rest the device's.
 */
public final class AcceptFailures {

  private static final Logger LOG = System.getLogger(AcceptFailures.class.getName());
  private static final long PAUSE_NANOS = 50_000_000L;

  private final ControlLoop loop;
  private final Poller poller;
  private volatile IOException last;

  AcceptFailures(ControlLoop loop, Poller poller) {
    this.loop = loop;
    this.poller = poller;
  }

  /** Why the last accept failed, or null if it did not. */
  IOException last() {
    return last;
  }

  /** An accept has succeeded. */
  void clear() {
    last = null;
  }

  void add(Acceptor listener, IOException cause) {
    if (last == null) {
      LOG.log(
          loop.level(Level.WARNING),
          "{0} cannot accept a connection: {1}",
          loop.device(),
          cause.getMessage());
    }
    last = cause;
    pause(listener);
  }

  private void pause(Acceptor listener) {
    Object owner = listener.owner;
    poller.remove(listener);
    loop.later(
        PAUSE_NANOS,
        () -> {
          try {
            if (listener.owner == owner) { // else it was dismissed
              poller.add(listener);
            }
          } catch (IOException e) {
            pause(listener);
          }
        });
  }
}
