package io.jgloo.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.UnavailableException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The pool that runs bodies. */
@Timeout(60)
final class WorkersTest {

  private static final int THREADS = 2;

  private final CountDownLatch go = new CountDownLatch(1);
  private final BlockingQueue<Object> ends = new LinkedBlockingQueue<>();

  /** Waits as a body does that makes a call; its end is the result or what it threw. */
  private void waitingBody(CountDownLatch waits) {
    try {
      ends.add(
          Workers.wait(
              () -> {
                waits.countDown();
                try {
                  return go.await(40, TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                  return false;
                }
              }));
    } catch (UnavailableException e) {
      ends.add(e);
    }
  }

  private Object nextEnd() throws InterruptedException {
    return ends.poll(40, TimeUnit.SECONDS);
  }

  @Test
  void mostWaitingBodies_exhaustThePool_andItRecovers() throws Exception {
    CountDownLatch waits = new CountDownLatch(Workers.MOST_WAITING);
    try (Workers workers = new Workers("test", THREADS)) {
      for (int i = 0; i < Workers.MOST_WAITING; i++) {
        assertTrue(workers.execute(() -> waitingBody(waits)));
      }
      assertTrue(waits.await(40, TimeUnit.SECONDS), () -> waits.getCount() + " do not run");

      int more = 0; // until one of them finds no thread for its place
      Object end = null;
      while (end == null && more <= THREADS) {
        CountDownLatch waiting = new CountDownLatch(1);
        workers.execute(() -> waitingBody(waiting));
        while (end == null && waiting.getCount() > 0) {
          end = ends.poll(10, TimeUnit.MILLISECONDS);
        }
        more += end == null ? 1 : 0;
      }
      UnavailableException refused = assertInstanceOf(UnavailableException.class, end);
      assertTrue(refused.getMessage().contains("wait for calls of their own"), refused::toString);
      workers.execute(() -> ends.add("a body that does not wait"));
      assertEquals("a body that does not wait", nextEnd());

      go.countDown();
      for (int i = 0; i < Workers.MOST_WAITING + more; i++) {
        assertEquals(true, nextEnd());
      }
      workers.execute(() -> waitingBody(new CountDownLatch(1)));
      assertEquals(true, nextEnd());
    }
  }
}
