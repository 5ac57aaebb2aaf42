package io.jgloo.rpc.message;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.NotExecutedException;
import io.jgloo.rpc.agent.OutcomeUnknownException;
import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Message;
import io.jgloo.transport.JGlooException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/**
 * A request at the agent that made it, until its outcome is known.
 *
 * <p><i>Threads</i>: any may ask {@link #isDone} and {@link #cancel}; the rest is for the one that
 * runs the agent's events.
 */
public final class PendingCall {

  private static final Logger LOG = System.getLogger(PendingCall.class.getName());

  private final MessengerState core;
  final AgentId to;
  final int service;
  final Message message;
  final long deadlineNanos;
  private final ReplyHandler handler;
  final Priority priority;
  final long id;
  final TimerWheel.Timer timer =
      new TimerWheel.Timer() {
        @Override
        void expired() {
          giveUp("its deadline passed", null);
        }
      };

  private final @Nullable CallEvent event;
  private Outbound.@Nullable Body outbound;
  private boolean replying;
  private IncomingBlocks.@Nullable Arrival arrival;
  private volatile boolean done;

  PendingCall(
      MessengerState core,
      AgentId to,
      int service,
      Message message,
      Priority priority,
      long deadlineNanos,
      long id,
      ReplyHandler handler) {
    this.core = core;
    this.to = to;
    this.service = service;
    this.message = message;
    this.priority = priority;
    this.deadlineNanos = deadlineNanos;
    this.id = id;
    this.handler = handler;
    event = CallEvent.begin(this);
  }

  /** Whether it has an outcome, which its {@link ReplyHandler} has or gets next. */
  public boolean isDone() {
    return done;
  }

  /**
   * Gives the request up, if it has no outcome: it fails with a {@code NotExecutedException} if it
   * was not sent, else with an {@code OutcomeUnknownException}, and the callee does not begin it
   * any more.
   */
  public void cancel() {
    core.events.run(() -> giveUp("it was cancelled", null));
  }

  void outbound(Outbound.Body encoded) {
    outbound = encoded;
  }

  Outbound.@Nullable Body outbound() {
    return outbound;
  }

  /** Marks that its reply has begun to arrive; false if one has before. */
  boolean beginReply() {
    boolean first = !replying;
    replying = true;
    return first;
  }

  /** Ends it without a reply. */
  void giveUp(String reason, @Nullable JGlooException cause) {
    if (done) {
      return;
    }
    boolean mayRun = core.withdraw(this);
    finish(mayRun ? "unknown" : "not executed");
    String text = "request " + id + " to agent " + to + ": " + reason;
    text += cause == null ? "" : ": " + cause.getMessage();
    JGlooException failure =
        mayRun
            ? new OutcomeUnknownException(text + ", after it was sent", cause)
            : new NotExecutedException(text + ", before it was executed", cause);
    if (arrival != null && arrival.isLent) {
      core.arrivals.abandon(
          arrival,
          () -> {
            failed(failure);
            core.wake();
          });
    } else {
      failed(failure);
    }
  }

  /** Takes its reply, in memory of the handler if that has some. */
  IncomingBlocks.Taker taker(int status, Envelope.Content content) {
    return new IncomingBlocks.Taker() {
      @Override
      public void arrived(@Nullable Message message) {
        if (message == null) {
          giveUp("there is no memory for its reply", null);
        } else {
          replied(status, message);
        }
      }

      @Override
      public @Nullable Block memory(int index, long length) {
        try {
          return done ? null : handler.memory(status, content.head(), index, length);
        } catch (Throwable e) { // code of users: memory of the messenger does as well
          LOG.log(Level.WARNING, "a reply handler failed", e);
          return null;
        }
      }
    };
  }

  /** Its reply arrives. */
  void arriving(IncomingBlocks.@Nullable Arrival reply) {
    arrival = reply;
  }

  /** The callee says that it did not execute it. */
  void refused(String reason) {
    if (finish("not executed")) {
      failed(
          new NotExecutedException("agent " + to + " refused request " + id + ": " + reason, null));
    }
  }

  /** The whole reply is here; closes it if the request was given up. */
  void replied(int status, Message reply) {
    if (finish("replied")) {
      try {
        handler.replied(status, reply);
      } catch (Throwable e) { // code of users: it must not end the thread that moves messages
        LOG.log(Level.WARNING, "a reply handler failed", e);
        reply.close();
      }
    } else {
      reply.close();
    }
  }

  private void failed(JGlooException cause) {
    try {
      handler.failed(cause);
    } catch (Throwable e) { // code of users, as above
      LOG.log(Level.WARNING, "a reply handler failed", e);
    }
  }

  private boolean finish(String outcome) {
    boolean first = !done;
    if (first) {
      done = true;
      core.ended(this);
      CallEvent.end(event, outcome);
    }
    return first;
  }

  /** Flight Recorder event: a request of this agent, from its submission to its outcome. */
  @Name("io.jgloo.rpc.Call")
  @Label("Remote call")
  @Description("A request of an agent, from its submission to its outcome")
  @Category({"JGloo", "RPC"})
  @StackTrace(false)
  @Threshold("10 ms")
  static final class CallEvent extends Event {

    private static final EventType TYPE = EventType.getEventType(CallEvent.class);

    @Label("Callee")
    final String callee;

    @Label("Service")
    final int service;

    @Label("Number of the call")
    final long call;

    @Label("Outcome")
    @Nullable String outcome;

    private CallEvent(PendingCall call) {
      this.callee = call.to.toString();
      this.service = call.service;
      this.call = call.id;
    }

    /** The event of a call that begins now; null if a recording does not want it. */
    static @Nullable CallEvent begin(PendingCall call) {
      if (!TYPE.isEnabled()) {
        return null;
      }
      CallEvent event = new CallEvent(call);
      event.begin();
      return event;
    }

    /** Ends an event, if there is one. */
    static void end(@Nullable CallEvent event, String outcome) {
      if (event != null) {
        event.outcome = outcome;
        event.commit();
      }
    }
  }
}
