package io.jgloo.rendezvous;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.rendezvous.store.Store;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The store executor continues after an {@code Error} of a task. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class StoreExecutorTest {
  private static final Duration LONG = Duration.ofSeconds(50);

  /** By which a rank shows that it is alive. */
  @Test
  void anErrorOfARepeatedTask_doesNotEndItsRepetition() throws Exception {
    CountDownLatch runs = new CountDownLatch(3);
    try (Store store = new HashStore(LONG);
        StoreExecutor executor = new StoreExecutor(store, 0)) {
      assertFalse(
          executor
              .repeat(
                  Duration.ofMillis(1),
                  () -> {
                    runs.countDown();
                    throw new StackOverflowError("made by the test");
                  })
              .isCancelled());
      assertTrue(runs.await(30, TimeUnit.SECONDS));
    }
  }
}
