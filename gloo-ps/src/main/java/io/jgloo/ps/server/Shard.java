package io.jgloo.ps.server;

import io.jgloo.ps.handle.RequestHandle;
import io.jgloo.ps.handle.RequestMeta;
import io.jgloo.ps.handle.Responder;
import io.jgloo.ps.kv.KvPairs;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.rpc.agent.AgentId;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A range of the keys of a server, with the handle that executes its requests one after another.
 *
 * <p><i>Owns</i>: its thread, if it has one, and its handle.
 */
public final class Shard<A> implements AutoCloseable {

  private static final Duration STOP = Duration.ofSeconds(5);

  /**
   * What the thread does.
   *
   * @param dropped gets the reason if the body does not run
   */
  private record Task(Runnable body, Consumer<RejectedExecutionException> dropped)
      implements Runnable {
    @Override
    public void run() {
      body.run();
    }
  }

  private final String name;
  private final RequestHandle<A> handle;
  private final ExecutorService executor;
  private final AppliedPushes applied = new AppliedPushes();
  private final Object lock;
  private boolean isClosed;

  /**
   * @param name of the application and the shard
   * @param threadName name of the thread; null to execute in the thread that asks
   * @param lock held by a thread that asks, without a thread
   */
  public Shard(String name, RequestHandle<A> handle, String threadName, Object lock) {
    this.lock = lock;
    this.name = name;
    this.handle = handle;
    executor =
        threadName == null
            ? null
            : new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                body -> {
                  Thread thread = new Thread(body, threadName);
                  thread.setDaemon(true);
                  return thread;
                });
  }

  RequestHandle<A> handle() {
    return handle;
  }

  /** The pushes that it has applied. */
  AppliedPushes applied() {
    return applied;
  }

  /** What the shards of a push say before one of them executes it. */
  static final class Vote {
    private final CountDownLatch left;
    private volatile String refusal;

    Vote(int shards) {
      left = new CountDownLatch(shards);
    }

    /** A shard votes: for the push if there is no refusal. */
    void cast(String its) {
      refusal = its == null ? refusal : its;
      left.countDown();
    }

    /** The refusal of a shard, when all have voted; null if there is none. */
    private String await() {
      boolean interrupted = false;
      while (left.getCount() > 0) { // the other shards are at the same push soon
        try {
          left.await();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      return refusal;
    }
  }

  /**
   * Executes a part of a request, when its turn comes.
   *
   * @param vote of all shards of a push; null if there is one
   */
  void execute(
      AgentId worker,
      KvProtocol.Origin origin,
      RequestMeta meta,
      KvPairs<A> pairs,
      ShardResponder<A> responder,
      Vote vote) {
    boolean isChange = meta.change() != RequestMeta.Change.NONE;
    run(
        () -> {
          String refusal = meta.hasValues() ? check(meta, pairs) : null;
          if (vote != null) {
            vote.cast(refusal);
            refusal = vote.await();
          }
          if (refusal != null) {
            responder.error(Responder.WRONG_LENGTH, refusal);
          } else if (!isChange) {
            handle(meta, pairs, responder);
          } else if (!applied.begin(
              worker,
              origin,
              meta,
              pairs,
              error -> joined(error, meta, pairs, responder),
              push -> {
                responder.changes(applied, push);
                handle(meta, pairs, responder);
              })) {
            again(meta, pairs, responder);
          }
        },
        cause -> {
          if (vote != null) {
            vote.cast(cause.getMessage());
          }
          responder.error(Responder.HANDLE_FAILED, cause.getMessage());
        });
  }

  private String check(RequestMeta meta, KvPairs<A> pairs) {
    try {
      return handle.check(meta, pairs);
    } catch (RuntimeException | Error e) { // user code: other shards wait for its vote
      return "the handle failed: " + e;
    }
  }

  /** The same change, begun before, has ended. */
  private void joined(
      String error, RequestMeta meta, KvPairs<A> pairs, ShardResponder<A> responder) {
    if (error != null) {
      responder.error(Responder.HANDLE_FAILED, error);
    } else if (meta.isPull()) {
      run(
          () -> again(meta, pairs, responder),
          cause -> responder.error(Responder.HANDLE_FAILED, cause.getMessage()));
    } else {
      responder.ok();
    }
  }

  /** Answers a change that was applied before. */
  private void again(RequestMeta meta, KvPairs<A> pairs, ShardResponder<A> responder) {
    if (meta.isPull()) {
      handle(meta.asPull(), pairs, responder);
    } else {
      responder.ok();
    }
  }

  private void handle(RequestMeta meta, KvPairs<A> pairs, ShardResponder<A> responder) {
    try {
      handle.handle(meta, pairs, responder);
    } catch (Throwable e) { // user code: it must not end the thread, and its caller must hear of it
      responder.failed(e, name);
    }
  }

  /**
   * Runs an action after the requests that came before.
   *
   * @param dropped gets the reason, maybe in another thread, if it does not run
   */
  public void run(Runnable body, Consumer<? super RejectedExecutionException> dropped) {
    if (executor == null) {
      synchronized (lock) {
        if (isClosed) {
          dropped.accept(closed());
        } else {
          body.run();
        }
      }
      return;
    }
    try {
      executor.execute(new Task(body, dropped::accept));
    } catch (RejectedExecutionException e) {
      dropped.accept(closed());
    }
  }

  private static RejectedExecutionException closed() {
    return new RejectedExecutionException("the application is closed");
  }

  @Override
  public void close() {
    close(STOP);
  }

  /** Runs what waits for some time, drops the rest, and closes the handle unless it runs. */
  public void close(Duration patience) {
    if (executor != null && !stops(patience)) {
      for (Runnable task : executor.shutdownNow()) {
        ((Task) task).dropped().accept(closed());
      }
      return; // a handle that does not end keeps its memory
    }
    synchronized (lock) {
      isClosed = true;
      handle.close();
    }
  }

  private boolean stops(Duration patience) {
    executor.shutdown();
    try {
      return executor.awaitTermination(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
