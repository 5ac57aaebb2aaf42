package io.jgloo.ps.client;

import io.jgloo.ps.kv.KvCall;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.transport.JGlooException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * A call of a worker, until all of its pieces have ended.
 *
 * <p><i>Threads</i>: any.
 */
public final class Call<A> {

  private static final Logger LOG = System.getLogger(Call.class.getName());

  private final long timestamp;
  private final long identity;
  private final long round;
  private final ValueType<A> type;
  private final int flags;
  private final KvCall options;
  private final Sink<A> sink;
  private final TopKeys.Selection<A> selection;
  private final long deadlineNanos;
  private final Consumer<Call<A>> end;
  private final AtomicReference<JGlooException> failure = new AtomicReference<>();

  /** Pieces that have not ended, and one more until all have been made. */
  private final AtomicInteger left = new AtomicInteger(1);

  private volatile boolean done;

  /**
   * @param identity by which servers know its pushes
   * @param sink null if nothing is pulled
   * @param selection what is sent of a push, for its repetition; null for all
   * @param end runs before the call is done
   */
  public Call(
      long timestamp,
      long identity,
      long round,
      ValueType<A> type,
      int flags,
      KvCall options,
      Sink<A> sink,
      TopKeys.Selection<A> selection,
      long deadlineNanos,
      Consumer<Call<A>> end) {
    this.timestamp = timestamp;
    this.identity = identity;
    this.round = round;
    this.type = type;
    this.flags = flags;
    this.options = options;
    this.sink = sink;
    this.selection = selection;
    this.deadlineNanos = deadlineNanos;
    this.end = end;
  }

  /** Identifies it among the calls of its customer. */
  public long timestamp() {
    return timestamp;
  }

  /** The round of the worker in which it was made first. */
  public long round() {
    return round;
  }

  /** The timestamp by which servers know its pushes. */
  public long identity() {
    return identity;
  }

  ValueType<A> type() {
    return type;
  }

  int flags() {
    return flags;
  }

  boolean has(int flag) {
    return (flags & flag) != 0;
  }

  KvCall options() {
    return options;
  }

  Sink<A> sink() {
    return sink;
  }

  TopKeys.Selection<A> selection() {
    return selection;
  }

  long expected(int keys) {
    return sink.expected(keys);
  }

  long deadlineNanos() {
    return deadlineNanos;
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
      try {
        end.accept(this);
      } finally {
        done = true;
      }
    }
  }

  boolean isDone() {
    return done;
  }

  /** Why it failed, or null. */
  public JGlooException failure() {
    return failure.get();
  }
}
