package io.jgloo.rpc;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.message.PendingCall;
import io.jgloo.rpc.message.ReplyHandler;
import io.jgloo.transport.ClosedException;
import io.jgloo.transport.InterruptedOperationException;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.library.VirtualThreads;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The outcome of a call as a future. */
final class AsyncReply<R> extends CompletableFuture<R> implements ReplyHandler {

  private final RpcAgent agent;
  private final AgentId to;
  private final RpcFunction<?, R> function;
  private final OutgoingForks values;
  private volatile @Nullable PendingCall call;

  /** Reads the outcome: done once, by a thread that waits or by one for completions. */
  private final AtomicReference<@Nullable Runnable> arrived = new AtomicReference<>();

  /** Threads that wait by {@link #await}. */
  private final AtomicInteger waiting = new AtomicInteger();

  AsyncReply(RpcAgent agent, AgentId to, RpcFunction<?, R> function, OutgoingForks values) {
    this.agent = agent;
    this.to = to;
    this.function = function;
    this.values = values;
  }

  /** Sets what {@link #cancel} gives up. */
  AsyncReply<R> of(PendingCall pending) {
    call = pending;
    return this;
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }

  @Override
  public void replied(int status, Message reply) {
    arrive(() -> read(status, reply));
  }

  @Override
  public void failed(JGlooException cause) {
    values.failed();
    arrive(() -> completeExceptionally(cause));
  }

  /** Codecs, and code that users have added, must not run in the thread that moves messages. */
  private void arrive(Runnable completion) {
    arrived.set(completion);
    agent.complete(this::settle);
  }

  private void settle() {
    Runnable completion = arrived.getAndSet(null);
    if (completion != null) {
      completion.run();
    }
  }

  /** Lets a platform thread that waits move messages, and another body run in its place. */
  private void await(long deadlineNanos) {
    if (isDone() || VirtualThreads.isVirtualHere() || agent.messenger().isHandling()) {
      return;
    }
    waiting.incrementAndGet();
    try {
      Workers.wait(
          () -> agent.messenger().await(() -> isDone() || arrived.get() != null, deadlineNanos));
      settle();
      Workers.wait(() -> agent.messenger().await(this::isDone, deadlineNanos));
    } catch (InterruptedOperationException | ClosedException e) {
      // The flag is set, or the future is about to fail: what follows here sees it.
    } finally {
      waiting.decrementAndGet();
    }
  }

  private long instantIn(long nanos) {
    return agent.messenger().clock().nanoTime() + nanos;
  }

  @Override
  public R get() throws InterruptedException, ExecutionException {
    await(instantIn(Long.MAX_VALUE / 4));
    return super.get();
  }

  @Override
  public R get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    long deadline = instantIn(Math.min(unit.toNanos(timeout), Long.MAX_VALUE / 4));
    await(deadline);
    return super.get(Math.max(0, deadline - instantIn(0)), TimeUnit.NANOSECONDS);
  }

  @Override
  public R join() {
    await(instantIn(Long.MAX_VALUE / 4));
    return super.join();
  }

  @Override
  public boolean complete(R value) {
    return wake(super.complete(value));
  }

  @Override
  public boolean completeExceptionally(Throwable cause) {
    return wake(super.completeExceptionally(cause));
  }

  /** A thread that waits by {@link #await} looks again. */
  private boolean wake(boolean completed) {
    if (completed && waiting.get() > 0) {
      agent.messenger().wakeup();
    }
    return completed;
  }

  private void read(int status, Message reply) {
    try {
      IncomingForks returned = new IncomingForks(agent.rrefs(), to);
      R result = agent.result(to, function, status, reply, returned);
      returned.whenUsable(
          agent::complete,
          () -> {
            if (!complete(result)) {
              returned.close();
              reply.close();
            }
          },
          cause -> {
            reply.close();
            agent.complete(() -> completeExceptionally(cause));
          });
    } catch (Throwable e) { // code of users: codecs
      completeExceptionally(e);
    }
  }

  @Override
  public boolean cancel(boolean mayInterrupt) {
    boolean cancelled = super.cancel(mayInterrupt);
    PendingCall pending = call;
    if (cancelled && pending != null) {
      pending.cancel();
    }
    return cancelled;
  }
}
