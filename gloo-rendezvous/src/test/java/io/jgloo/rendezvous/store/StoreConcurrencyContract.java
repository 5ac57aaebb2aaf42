package io.jgloo.rendezvous.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.ClosedException;
import io.jgloo.transport.InterruptedOperationException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What many callers at once may expect of every {@link Store}, on top of {@link StoreContract}. */
public abstract class StoreConcurrencyContract extends StoreContract {
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  final void noThreadIsLeft() {
    threads.shutdownNow();
  }

  private <T> Future<T> start(Callable<T> body) {
    return threads.submit(body);
  }

  @Test
  void everyWayToCreateAKey_wakesItsWaiters() throws Exception {
    Store waiting = handle();
    Store acting = handle();
    List<Consumer<String>> creators = new ArrayList<>();
    creators.add(key -> acting.set(key, bytes("1")));
    creators.add(key -> acting.add(key, 1));
    creators.add(key -> acting.compareSet(key, new byte[0], bytes("1")));
    creators.add(key -> acting.append(key, bytes("1")));
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < creators.size(); i++) {
        String key = "k" + round + "-" + i;
        Future<byte[]> value = start(() -> waiting.get(key));
        Future<Void> done =
            start(
                () -> {
                  waiting.wait(List.of(key), waiting.timeout());
                  return null;
                });
        creators.get(i).accept(key);
        assertValue("1", value.get());
        done.get();
      }
    }
  }

  @Test
  void waiter_isWokenWhenAllItsKeysExistAtOnce() throws Exception {
    Store store = handle();
    Store waiting = handle();
    for (int round = 0; round < 5; round++) {
      String a = "a" + round;
      String b = "b" + round;
      store.set(a, bytes("1"));
      CountDownLatch started = new CountDownLatch(1);
      Future<Boolean> sawBoth =
          start(
              () -> {
                started.countDown();
                waiting.wait(List.of(a, b), waiting.timeout());
                return waiting.check(List.of(a, b));
              });
      started.await();
      store.deleteKey(a);
      store.set(b, bytes("1"));
      StoreTimeoutException missing =
          assertThrows(StoreTimeoutException.class, () -> waiting.wait(List.of(a, b), SHORT));
      assertEquals(1, missing.keys().size());
      assertFalse(sawBoth.isDone(), "woken although one of its keys was deleted");
      store.set(a, bytes("2"));
      assertTrue(sawBoth.get());
    }
  }

  @Test
  void callersOfOneHandle_doNotBlockEachOther() throws Exception {
    Store store = handle();
    List<Future<byte[]>> waiters = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      String key = "k" + i % 3;
      waiters.add(start(() -> store.get(key)));
    }
    assertEquals(1, store.add("other", 1));
    for (int i = 2; i >= 0; i--) {
      store.set("k" + i, bytes("v" + i));
      for (int w = i; w < waiters.size(); w += 3) {
        assertValue("v" + i, waiters.get(w).get());
      }
    }
  }

  @Test
  void concurrentAdds_areAllCounted() throws Exception {
    int workers = 8;
    int each = 125;
    Set<Long> results = new ConcurrentSkipListSet<>();
    List<Future<Void>> done = new ArrayList<>();
    CyclicBarrier together = new CyclicBarrier(workers);
    for (int w = 0; w < workers; w++) {
      Store store = handle();
      done.add(
          start(
              () -> {
                together.await();
                for (int i = 0; i < each; i++) {
                  results.add(store.add("c", 1));
                }
                return null;
              }));
    }
    for (Future<Void> worker : done) {
      worker.get();
    }
    assertEquals(1000, results.size());
    assertEquals(1000, handle().add("c", 0));
  }

  @Test
  void addsOfOneHandleFromManyThreads_areAllCounted() throws Exception {
    Store store = handle();
    List<Future<Long>> done = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      done.add(start(() -> store.add("c", 1)));
    }
    Set<Long> results = new TreeSet<>();
    for (Future<Long> result : done) {
      results.add(result.get());
    }
    assertEquals(200, results.size());
  }

  @Test
  void concurrentCompareSets_haveOneWinner() throws Exception {
    Store[] stores = {handle(), handle(), handle(), handle()};
    for (int round = 0; round < 25; round++) {
      String key = "claim" + round;
      CyclicBarrier together = new CyclicBarrier(stores.length);
      AtomicInteger winners = new AtomicInteger();
      List<Future<String>> seen = new ArrayList<>();
      for (int i = 0; i < stores.length; i++) {
        int me = i;
        seen.add(
            start(
                () -> {
                  together.await();
                  byte[] mine = {(byte) me};
                  byte[] current = stores[me].compareSet(key, new byte[0], mine);
                  if (Arrays.equals(current, mine)) {
                    winners.incrementAndGet();
                  }
                  return Arrays.toString(current);
                }));
      }
      Set<String> different = new TreeSet<>();
      for (Future<String> one : seen) {
        different.add(one.get());
      }
      assertEquals(1, winners.get());
      assertEquals(1, different.size(), different.toString());
    }
  }

  @Test
  void close_wakesItsWaiters() throws Exception {
    Store store = handle();
    CountDownLatch started = new CountDownLatch(3);
    List<Future<Object>> waiters = new ArrayList<>();
    waiters.add(start(() -> started(started, () -> store.get("k"))));
    waiters.add(
        start(() -> started(started, () -> store.multiGet(List.of("k", "l"), store.timeout()))));
    waiters.add(
        start(
            () ->
                started(
                    started,
                    () -> {
                      store.wait(List.of("k"), store.timeout());
                      return null;
                    })));
    started.await();
    closeForGood(store);
    for (Future<Object> waiter : waiters) {
      ExecutionException e = assertThrows(ExecutionException.class, waiter::get);
      assertEquals(ClosedException.class, e.getCause().getClass(), e.getCause().toString());
    }
  }

  private static Object started(CountDownLatch started, Callable<Object> body) throws Exception {
    started.countDown();
    return body.call();
  }

  @Test
  void interrupt_endsThisWaitOnly() throws Exception {
    Store store = handle();
    Future<byte[]> other = start(() -> store.get("k"));
    CountDownLatch started = new CountDownLatch(1);
    List<Object> outcome = new ArrayList<>();
    Thread waiter =
        new Thread(
            () -> {
              started.countDown();
              try {
                outcome.add(store.get("k"));
              } catch (InterruptedOperationException e) {
                outcome.add(Thread.currentThread().isInterrupted());
              }
            });
    waiter.start();
    started.await();
    waiter.interrupt();
    waiter.join();
    assertEquals(List.of(true), outcome);
    store.set("k", bytes("1"));
    assertValue("1", other.get());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void operations_areLinearizable(long seed) throws Exception {
    Store[] stores = {handle(), handle(), handle()};
    StoreHistory history = new StoreHistory(seed);
    for (int round = 0; round < 15; round++) {
      String key = "r" + round;
      CyclicBarrier together = new CyclicBarrier(stores.length);
      List<Future<List<StoreHistory.Operation>>> parts = new ArrayList<>();
      for (int client = 0; client < stores.length; client++) {
        Store store = stores[client];
        StoreHistory.Client plan = history.client(round, client);
        parts.add(
            start(
                () -> {
                  together.await();
                  return plan.run(store, key, 6);
                }));
      }
      List<StoreHistory.Operation> all = new ArrayList<>();
      for (Future<List<StoreHistory.Operation>> part : parts) {
        all.addAll(part.get());
      }
      assertTrue(
          StoreHistory.isLinearizable(all),
          () -> "seed " + seed + ", key " + key + ": no order explains\n" + StoreHistory.text(all));
    }
  }
}
