package io.jgloo.ps.server;

import io.jgloo.ps.handle.RequestHandle;
import io.jgloo.ps.handle.RequestMeta;
import io.jgloo.ps.kv.KvPairs;
import java.time.Duration;
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

  private final RequestHandle<A> handle;
  private final ExecutorService executor;

  /**
   * @param threadName name of the thread; null to execute in the thread that asks
   */
  public Shard(RequestHandle<A> handle, String threadName) {
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

  /** Executes a part of a request. */
  void execute(
      RequestMeta meta, KvPairs<A> pairs, ShardResponder<A> responder, boolean isRepeated) {
    run(
        () -> {
          if (isRepeated && !meta.isPull()) {
            responder.ok();
          } else {
            handle(isRepeated ? pullOf(meta) : meta, pairs, responder);
          }
        },
        responder::failed);
  }

  private void handle(RequestMeta meta, KvPairs<A> pairs, ShardResponder<A> responder) {
    try {
      handle.handle(meta, pairs, responder);
    } catch (Throwable e) { // user code: it must not end the thread, and its caller must hear of it
      responder.failed(e);
    }
  }

  private static RequestMeta pullOf(RequestMeta meta) {
    return new RequestMeta(
        meta.sender(),
        meta.customer(),
        meta.command(),
        false,
        true,
        false,
        meta.timestamp(),
        meta.priority());
  }

  /**
   * Runs an action after the requests that came before.
   *
   * @param dropped gets the reason, maybe in another thread, if it does not run
   */
  public void run(Runnable body, Consumer<? super RejectedExecutionException> dropped) {
    if (executor == null) {
      body.run();
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
    handle.close();
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
