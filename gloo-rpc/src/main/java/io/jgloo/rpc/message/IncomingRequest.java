package io.jgloo.rpc.message;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.codec.Message;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A request at the agent that is to execute it.
 *
 * <p>Life: {@link #begin}; the body runs; {@link #reply}. Or {@link #refuse} instead of both.
 *
 * <p><i>Threads</i>: any.
 */
public final class IncomingRequest {

  private enum State {
    WAITING,
    BEGUN,
    ENDED
  }

  private final MessengerState core;
  final Peer peer;
  private final AgentId from;
  final long call;
  final Priority priority;
  private final Message message;
  final int credit;
  private final long deadlineNanos;
  private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

  /**
   * @param credit bytes of the sender's credit it holds until it has ended
   */
  IncomingRequest(
      MessengerState core,
      Peer peer,
      long call,
      Priority priority,
      Message message,
      int credit,
      long deadlineNanos) {
    this.core = core;
    this.peer = peer;
    this.from = peer.id();
    this.call = call;
    this.priority = priority;
    this.message = message;
    this.credit = credit;
    this.deadlineNanos = deadlineNanos;
  }

  /** The life of the agent that sent it. */
  public AgentId from() {
    return from;
  }

  /** Its content; this request's {@link #reply} and {@link #refuse} do not close it. */
  public Message message() {
    return message;
  }

  /** When the caller gives up: an instant of {@link Messenger#clock}. */
  public long deadlineNanos() {
    return deadlineNanos;
  }

  /**
   * Marks the body as begun.
   *
   * @return false if the caller has given up or its deadline has passed: the body must not run, and
   *     the caller hears that it did not
   */
  public boolean begin() {
    if (core.clock.nanoTime() - deadlineNanos >= 0) {
      refuse("its deadline passed before it began");
    }
    return state.compareAndSet(State.WAITING, State.BEGUN);
  }

  /**
   * Answers it.
   *
   * @param status 0 to 127, for the caller's {@link ReplyHandler}
   * @param reply belongs to the messenger from now on
   * @throws IllegalStateException if it has not begun or has been answered
   * @throws OutOfMemoryError if there is no memory for the reply; it can be answered otherwise
   */
  public void reply(int status, Message reply) {
    if (status < 0 || status > 127) {
      throw new IllegalArgumentException("status must be 0 to 127, but is " + status);
    }
    Outbound.Body encoded = core.encode(this, status, reply); // may fail: it can be answered then
    if (!state.compareAndSet(State.BEGUN, State.ENDED)) {
      throw new IllegalStateException("a request that is " + state + " cannot be answered");
    }
    core.answer(this, status, reply, encoded);
  }

  /**
   * Says that the body has not run and will not, if it has not begun.
   *
   * @param reason for the caller's {@code NotExecutedException}
   * @return whether this call ended it
   */
  public boolean refuse(String reason) {
    boolean ends = state.compareAndSet(State.WAITING, State.ENDED);
    if (ends) {
      core.refuse(this, reason);
    }
    return ends;
  }

  /** Whether it was answered, refused, or given up by the caller. */
  public boolean isEnded() {
    return state.get() == State.ENDED;
  }
}
