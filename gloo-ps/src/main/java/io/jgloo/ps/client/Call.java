package io.jgloo.ps.client;

import io.jgloo.ps.kv.KvCall;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.transport.JGlooException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * A call of a worker, until all of its pieces have ended.
 *
 * <p><i>Threads</i>: any.
 */
public final class Call<A> {

  private static final Logger LOG = System.getLogger(Call.class.getName());

  private final Calls<A> calls;
  private final long timestamp;
  final long identity;
  final long round;
  final ValueType<A> type;
  final int flags;
  final KvCall options;
  final Sink<A> sink;
  final long deadlineNanos;
  private final AtomicReference<JGlooException> failure = new AtomicReference<>();

  /** Pieces that have not ended, and one more until all have been made. */
  private final AtomicInteger left = new AtomicInteger(1);

  private final CompletableFuture<Void> end = new CompletableFuture<>();

  /**
   * @param identity the timestamp by which servers know its pushes
   * @param round of the worker in which it was made first
   * @param sink null if nothing is pulled
   */
  Call(
      Calls<A> calls,
      long timestamp,
      long identity,
      long round,
      ValueType<A> type,
      int flags,
      KvCall options,
      Sink<A> sink,
      long deadlineNanos) {
    this.calls = calls;
    this.timestamp = timestamp;
    this.identity = identity;
    this.round = round;
    this.type = type;
    this.flags = flags;
    this.options = options;
    this.sink = sink;
    this.deadlineNanos = deadlineNanos;
  }

  /** Identifies it among the calls of its customer. */
  public long timestamp() {
    return timestamp;
  }

  boolean has(int flag) {
    return (flags & flag) != 0;
  }

  /**
   * The numbers of values of keys, or null if all have the same.
   *
   * @param positions index of each key; null for all
   */
  int[] lensOf(int[] positions) {
    int[] lens = options.lens();
    if (lens == null || positions == null) {
      return lens;
    }
    int[] some = new int[positions.length];
    for (int i = 0; i < some.length; i++) {
      some[i] = lens[positions[i]];
    }
    return some;
  }

  void begin() {
    left.incrementAndGet();
  }

  /**
   * A piece has ended, or all have been made.
   *
   * @param cause null if it was executed
   */
  public void ended(JGlooException cause) {
    if (cause != null) {
      failure.compareAndSet(null, cause);
    }
    if (left.decrementAndGet() == 0) {
      try {
        if (options.callback() != null) {
          options.callback().accept(failure.get());
        }
      } catch (Throwable e) { // user code, in the thread that moves messages: others wait
        LOG.log(Level.WARNING, "the callback of call " + timestamp + " failed", e);
      }
      calls.ended(this);
      end.complete(null);
    }
  }

  boolean isDone() {
    return end.isDone();
  }

  /** Why it failed, or null. */
  public JGlooException failure() {
    return failure.get();
  }

  /** A future of the result, or of why the call failed. */
  public <R> CompletableFuture<R> future(Supplier<R> result) {
    CompletableFuture<R> future = new CompletableFuture<>();
    CompletableFuture<Void> unused =
        end.thenRun(
            () -> {
              if (failure() != null) {
                future.completeExceptionally(failure());
                return;
              }
              try {
                future.complete(result.get());
              } catch (RuntimeException | Error e) { // no memory for the arrays
                future.completeExceptionally(e);
              }
            });
    return future;
  }
}
