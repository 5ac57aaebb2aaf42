package io.jgloo.rpc.message;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.PeerListener;
import io.jgloo.transport.JGlooException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * The code of users that messages go to, and what becomes of its exceptions.
 *
 * <p><i>Threads</i>: set by any thread before the start; called by the one that runs the agent's
 * events.
 */
final class Handlers {

  private static final Logger LOG = System.getLogger(Handlers.class.getName());

  private final AtomicReferenceArray<Consumer<IncomingRequest>> services =
      new AtomicReferenceArray<>(Messenger.MAX_SERVICE + 1);
  private final AtomicReferenceArray<BiConsumer<AgentId, byte[]>> kinds =
      new AtomicReferenceArray<>(Messenger.MAX_KIND + 1);
  private final List<PeerListener> listeners = new CopyOnWriteArrayList<>();

  void serve(int service, Consumer<IncomingRequest> handler) {
    requireService(service);
    if (!services.compareAndSet(service, null, handler)) {
      throw new IllegalStateException("service " + service + " has a handler");
    }
  }

  void handle(int kind, BiConsumer<AgentId, byte[]> handler) {
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
    if (kind < 0 || kind > Messenger.MAX_KIND) {
      throw new IllegalArgumentException(
          "kind must be 0 to " + Messenger.MAX_KIND + ", but is " + kind);
    }
  }

  /** The handler of a service, or null. */
  Consumer<IncomingRequest> service(int service) {
    return services.get(service);
  }

  void request(Consumer<IncomingRequest> handler, IncomingRequest request) {
    try {
      handler.accept(request);
    } catch (Throwable e) { // user code: it must not end the thread that moves messages
      LOG.log(Level.WARNING, "a request handler failed", e);
      request.refuse("the handler of its service failed: " + e);
    }
  }

  /** Hands a control message on; false if its kind has no handler. */
  boolean control(AgentId from, int kind, byte[] content) {
    BiConsumer<AgentId, byte[]> handler = kinds.get(kind);
    if (handler == null) {
      return false;
    }
    try {
      handler.accept(from, content);
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

  /** Flight Recorder event: an agent has joined, or was lost. */
  @Name("io.jgloo.rpc.Peer")
  @Label("Remote agent")
  @Description("An agent has joined, or was lost")
  @Category({"JGloo", "RPC"})
  @StackTrace(false)
  static final class PeerEvent extends Event {

    @Label("Agent")
    final String agent;

    @Label("What happened")
    final String what;

    private PeerEvent(String agent, String what) {
      this.agent = agent;
      this.what = what;
    }

    static void joined(AgentId agent) {
      new PeerEvent(agent.toString(), "joined").commit();
    }

    static void lost(AgentId agent, Throwable cause) {
      new PeerEvent(agent.toString(), "lost: " + cause.getMessage()).commit();
    }
  }
}
