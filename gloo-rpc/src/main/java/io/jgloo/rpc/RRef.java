package io.jgloo.rpc;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.codec.Codec;
import io.jgloo.rpc.rref.protocol.Event;
import io.jgloo.rpc.rref.protocol.ForkId;
import io.jgloo.rpc.rref.protocol.RRefId;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A handle of a value that lives at one agent, its owner, as long as any agent has a handle of it.
 *
 * <p>To pass it on, put it into an argument or a result with {@link RRefs#codec}: the receiver gets
 * a handle of its own. Close a handle as soon as it is not needed; one that is not closed is closed
 * when the collector finds it, which may take long on an idle heap.
 *
 * <p><i>Threads</i>: any.
 *
 * @param <T> type of the value
 */
public final class RRef<T> implements AutoCloseable {

  final RRefs refs;
  final Handle handle;
  final Codec<T> codec;
  private final Cleaner.Cleanable cleanable;
  private volatile boolean handedOver;

  RRef(RRefs refs, Handle handle, Codec<T> codec) {
    this.refs = refs;
    this.handle = handle;
    this.codec = codec;
    cleanable = refs.watch(this, handle);
  }

  /** The agent that holds the value. */
  public AgentId owner() {
    return handle.ref.owner();
  }

  /** Whether this agent holds the value. */
  public boolean isOwner() {
    return handle.fork == null;
  }

  /**
   * Completes when the owner knows this handle; fails with a {@link RRefException} if it cannot be
   * used.
   */
  public CompletableFuture<Void> confirmed() {
    ForkId fork = handle.fork;
    return fork == null ? CompletableFuture.completedFuture(null) : refs.confirmation(fork);
  }

  /** {@link #toHere(Duration)} with the timeout of the options. */
  public T toHere() {
    return toHere(refs.agent().options().timeout());
  }

  /**
   * Returns the value: at the owner itself, elsewhere a copy, whose blocks belong to the caller.
   * Waits until it is set.
   *
   * @param timeout how long to wait, zero for no limit; a later call may succeed
   * @throws io.jgloo.rpc.RemoteCallException if the function that makes the value threw
   * @throws RRefException if there is no value
   * @throws io.jgloo.transport.OperationTimeoutException at the timeout
   * @throws io.jgloo.transport.InterruptedOperationException if the thread is interrupted
   * @throws IllegalStateException if the handle is closed
   */
  public T toHere(Duration timeout) {
    try {
      handle.requireOpen();
      long deadline = refs.agent().deadline(timeout);
      ForkId fork = handle.fork;
      return fork == null
          ? refs.values.read(handle.ref, codec, deadline)
          : refs.fetches.read(fork, codec, deadline);
    } finally {
      Reference.reachabilityFence(this); // the handle is not collected while it is read
    }
  }

  /**
   * Returns the value at its owner, not a copy. Waits until it is set.
   *
   * @throws IllegalStateException at another agent, or if the handle is closed
   */
  public T localValue() {
    if (!isOwner()) {
      throw new IllegalStateException(
          "the value of " + this + " is at agent " + owner() + ": use toHere");
    }
    return toHere();
  }

  /** Name of the agent that holds the value; empty if that has been lost. */
  public Optional<String> ownerName() {
    return refs.agent().nameOf(owner().rank());
  }

  /** Calls a method of the object at its owner, and waits for the result. */
  public <A, R> R rpcSync(RpcMethod<T, A, R> method, A argument) {
    return refs.agent().rpcSync(owner(), method.function(), new RpcMethod.Bound<>(this, argument));
  }

  /** Calls a method of the object at its owner. */
  public <A, R> CompletableFuture<R> rpcAsync(RpcMethod<T, A, R> method, A argument) {
    return refs.agent().rpcAsync(owner(), method.function(), new RpcMethod.Bound<>(this, argument));
  }

  /** Calls a method of the object at its owner; the result stays there. */
  public <A, R> RRef<R> remote(RpcMethod<T, A, R> method, A argument) {
    return refs.remote(owner(), method.function(), new RpcMethod.Bound<>(this, argument));
  }

  /**
   * Lets the next message that carries this handle close it: {@code return ref.handOver()} in a
   * body that does not need it any more.
   *
   * @return this
   */
  public RRef<T> handOver() {
    handedOver = true;
    return this;
  }

  boolean isHandedOver() {
    return handedOver;
  }

  /** Makes a fork for a message to an agent. */
  ForkId fork(AgentId to) {
    try {
      handle.requireOpen();
      return refs.fork(handle, to);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** Closes the handle; later calls do nothing. Never blocks. */
  @Override
  public void close() {
    try {
      handle.close();
      cleanable.clean();
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** The reference's id and this handle's state. */
  @Override
  public String toString() {
    return "RRef " + handle;
  }

  /**
   * What a public handle and its cleaner share: the ids and whether it is open.
   *
   * <p><i>Threads</i>: any.
   */
  static final class Handle {

    private enum State {
      /** Read from a message whose references are not confirmed: the tables do not count it yet. */
      ARRIVING,
      OPEN,
      CLOSED
    }

    private final RRefs refs;
    final RRefId ref;
    final @Nullable ForkId fork;
    private final AtomicReference<State> state = new AtomicReference<>(State.ARRIVING);

    /**
     * @param fork null at the owner
     */
    Handle(RRefs refs, RRefId ref, @Nullable ForkId fork) {
      this.refs = refs;
      this.ref = ref;
      this.fork = fork;
    }

    /** The fork, or at the owner the reference. */
    Object id() {
      return fork == null ? ref : fork;
    }

    /** The tables count the handle from now on. */
    Handle open() {
      state.compareAndSet(State.ARRIVING, State.OPEN);
      return this;
    }

    boolean isOpen() {
      return state.get() == State.OPEN;
    }

    /**
     * @throws IllegalStateException if it is closed
     */
    void requireOpen() {
      if (state.get() != State.OPEN) {
        throw new IllegalStateException("the handle of " + this + " is not open");
      }
    }

    void close() {
      if (state.getAndSet(State.CLOSED) == State.OPEN) {
        refs.tables().apply(fork == null ? new Event.OwnerClosed(ref) : new Event.UserClosed(fork));
        if (fork != null) {
          refs.creations.forgetIfClosed(fork);
        }
      }
    }

    @Override
    public String toString() {
      return id() + ", " + state.get();
    }
  }
}
