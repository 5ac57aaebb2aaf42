package io.jgloo.rpc.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class EventsTest {

  private final List<Throwable> failures = new ArrayList<>();

  @Test
  void eventsWithoutEnd_doNotKeepBackWhatFollows() {
    boolean[] followed = new boolean[1];
    Events events = new Events(() -> followed[0] = true, failures::add);
    Events.Event endless =
        new Events.Event() {
          @Override
          public void happen() {
            if (!followed[0]) {
              events.add(this);
            }
          }
        };
    events.run(endless);
    assertTrue(followed[0]);
  }

  @Test
  void eventsOfManyThreads_happenOneAtATime_andOnce() throws InterruptedException {
    int threads = 4;
    int each = 20_000;
    long[] happened = new long[1]; // not atomic on purpose
    Events events = new Events(() -> {}, failures::add);
    CountDownLatch ended = new CountDownLatch(threads);
    for (int i = 0; i < threads; i++) {
      new Thread(
              () -> {
                for (int k = 0; k < each; k++) {
                  events.run(() -> happened[0]++);
                  events.poke();
                }
                ended.countDown();
              })
          .start();
    }
    ended.await();
    events.run(() -> assertEquals((long) threads * each, happened[0]));
    assertEquals(List.of(), failures);
  }

  @Test
  void eventThatThrows_isReported_andTheOthersHappen() {
    int[] happened = new int[1];
    Events events = new Events(() -> {}, failures::add);
    IllegalStateException mistake = new IllegalStateException("mistake");
    events.add(
        () -> {
          throw mistake;
        });
    events.run(() -> happened[0]++);
    assertEquals(List.of(mistake), failures);
    assertEquals(1, happened[0]);
  }
}
