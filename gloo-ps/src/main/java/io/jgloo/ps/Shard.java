package io.jgloo.ps;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A range of the keys of a server, with the handle that executes its requests one after another.
 *
 * <p><i>Owns</i>: its thread, if it has one, and its handle.
 */
final class Shard<A> implements AutoCloseable {

  private static final long STOP_SECONDS = 5;

  private final RequestHandle<A> handle;
  private final ExecutorService executor;

  /**
   * @param threadName name of the thread; null to execute in the thread that asks
   */
  Shard(RequestHandle<A> handle, String threadName) {
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
  void execute(RequestMeta meta, KvPairs<A> pairs, Responder<A> responder, boolean isRepeated) {
    run(
        () -> {
          if (isRepeated && !meta.isPull()) {
            responder.ok();
          } else {
            handle(isRepeated ? pullOf(meta) : meta, pairs, responder);
          }
        },
        responder);
  }

  private void handle(RequestMeta meta, KvPairs<A> pairs, Responder<A> responder) {
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

  private void run(Runnable body, Responder<A> responder) {
    try {
      run(body);
    } catch (RejectedExecutionException e) {
      responder.failed(e);
    }
  }

  /**
   * Runs an action after the requests that came before.
   *
   * @throws RejectedExecutionException if the shard is closed
   */
  void run(Runnable body) {
    if (executor == null) {
      body.run();
    } else {
      executor.execute(body);
    }
  }

  @Override
  public void close() {
    if (executor != null) {
      executor.shutdown();
      try {
        if (!executor.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
          executor.shutdownNow();
          return; // a handle that does not end keeps its memory
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
    handle.close();
  }
}
