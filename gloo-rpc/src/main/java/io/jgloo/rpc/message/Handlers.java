package io.jgloo.rpc.message;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.PeerListener;
import io.jgloo.transport.JGlooException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/**
 * The code of users that messages go to, and what becomes of its exceptions.
 *
 * <p><i>Threads</i>: set by any thread before the start; called by the one that runs the agent's
 * events.
 */
final class Handlers {

  private static final Logger LOG = System.getLogger(Handlers.class.getName());

  private final AtomicReferenceArray<RequestHandler> services =
      new AtomicReferenceArray<>(Messenger.MAX_SERVICE + 1);
  private final AtomicReferenceArray<ControlChannel.Handler> kinds =
      new AtomicReferenceArray<>(ControlChannel.MAX_KIND + 1);
  private final List<PeerListener> listeners = new CopyOnWriteArrayList<>();

  void serve(int service, RequestHandler handler) {
    requireService(service);
    if (!services.compareAndSet(service, null, handler)) {
      throw new IllegalStateException("service " + service + " has a handler");
    }
  }

  void handle(int kind, ControlChannel.Handler handler) {
    requireKind(kind);
    if (!kinds.compareAndSet(kind, null, handler)) {
      throw new IllegalStateException("kind " + kind + " has a handler");
    }
  }

  void listen(PeerListener listener) {
    listeners.add(listener);
  }

  static void requireService(int service) {
    if (service < 0 || service > Messenger.MAX_SERVICE) {
      throw new IllegalArgumentException(
          "service must be 0 to " + Messenger.MAX_SERVICE + ", but is " + service);
    }
  }

  static void requireKind(int kind) {
    if (kind < 0 || kind > ControlChannel.MAX_KIND) {
      throw new IllegalArgumentException(
          "kind must be 0 to " + ControlChannel.MAX_KIND + ", but is " + kind);
    }
  }

  /** The handler of a service, or null. */
  RequestHandler service(int service) {
    return services.get(service);
  }

  void request(RequestHandler handler, IncomingRequest request) {
    try {
      handler.received(request);
    } catch (Throwable e) { // user code: it must not end the thread that moves messages
      LOG.log(Level.WARNING, "a request handler failed", e);
      request.refuse("the handler of its service failed: " + e);
    }
  }

  /** Hands a control message on; false if its kind has no handler. */
  boolean control(AgentId from, int kind, byte[] content) {
    ControlChannel.Handler handler = kinds.get(kind);
    if (handler == null) {
      return false;
    }
    try {
      handler.received(from, content);
    } catch (Throwable e) { // user code, as above
      LOG.log(Level.WARNING, "the handler of control messages of kind " + kind + " failed", e);
      report(listener -> listener.handlerFailed(from, kind, e));
    }
    return true;
  }

  void joined(AgentId peer) {
    PeerEvent.joined(peer);
    report(listener -> listener.joined(peer));
  }

  void lost(AgentId peer, JGlooException cause) {
    PeerEvent.lost(peer, cause);
    report(listener -> listener.lost(peer, cause));
  }

  private void report(Consumer<PeerListener> what) {
    for (PeerListener listener : listeners) {
      try {
        what.accept(listener);
      } catch (Throwable e) { // user code, as above
        LOG.log(Level.WARNING, "a peer listener failed", e);
      }
    }
  }
}
