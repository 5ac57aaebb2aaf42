package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.ReduceOp;
import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.UnavailableException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Survivors agree on the members, whenever ranks are lost. */
@Timeout(100)
final class ShrinkTest {

  private static final int SIZE = 4;

  /** With 1, every step of the agreement is tried, which takes 12 s. */
  private static final int EACH = Integer.getInteger("jgloo.shrink.each", 4);

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final HashStore store = new HashStore();
  private final Device device =
      Devices.open("tcp", DeviceOptions.DEFAULTS.with("bind", "127.0.0.1"));

  /** What a rank of the test dies of. */
  private static final class Death extends Error {
    private static final long serialVersionUID = 1L;
  }

  @AfterEach
  void close() {
    device.close();
    store.close();
  }

  private ProcessGroup connect(String name, int rank, Store own, Device device) {
    return ProcessGroup.builder()
        .name(name)
        .rank(rank)
        .size(SIZE)
        .store(own)
        .device(device)
        .connect();
  }

  private List<CompletableFuture<ProcessGroup>> connectAll(String name) {
    List<CompletableFuture<ProcessGroup>> groups = new ArrayList<>();
    for (int each = 0; each < SIZE; each++) {
      int rank = each;
      groups.add(Ranks.inThread(() -> connect(name, rank, store, device)));
    }
    return groups;
  }

  /** Calls until the group has as many ranks as are expected, or a call fails in another way. */
  private static String survive(ProcessGroup first, int expected) {
    ProcessGroup group = first;
    while (true) {
      try {
        float[] sum = {1};
        group.allreduce(sum, ReduceOp.SUM);
        if (group.size() == expected) {
          assertArrayEquals(new float[] {expected}, sum);
          group.barrier();
          return group.ranks() + " is " + group.rank();
        }
      } catch (UnavailableException e) {
        throw e;
      } catch (JGlooException e) {
        group = group.shrink(PATIENCE);
      }
    }
  }

  @Test
  void survivorsOfSeveralRanks_goOn() {
    List<CompletableFuture<ProcessGroup>> groups = connectAll("several");
    List<ProcessGroup> all = groups.stream().map(Ranks::patiently).toList();
    List<CompletableFuture<String>> ends = new ArrayList<>();
    for (int rank : List.of(1, 3)) {
      ends.add(Ranks.inThread(() -> survive(all.get(rank), 2)));
    }
    all.get(0).close();
    all.get(2).close();
    assertEquals("[1, 3] is 0", Ranks.patiently(ends.get(0)));
    assertEquals("[1, 3] is 1", Ranks.patiently(ends.get(1)));
  }

  @Test
  void ranksOfSubGroups_areThoseOfTheFirst() {
    List<CompletableFuture<ProcessGroup>> groups = connectAll("parts");
    List<CompletableFuture<List<Integer>>> ends = new ArrayList<>();
    for (CompletableFuture<ProcessGroup> each : groups) {
      ProcessGroup group = Ranks.patiently(each);
      ends.add(
          Ranks.inThread(
              () -> {
                ProcessGroup half = group.split(group.rank() % 2, -group.rank()).orElseThrow();
                return half.newGroup(1, 0).orElseThrow().ranks();
              }));
    }
    assertEquals(List.of(0, 2), Ranks.patiently(ends.get(0)));
    assertEquals(List.of(1, 3), Ranks.patiently(ends.get(1)));
  }

  @Test
  void rankThatDoesNotAnswer_isLeftOut() {
    List<CompletableFuture<ProcessGroup>> groups = connectAll("late");
    List<ProcessGroup> all = groups.stream().map(Ranks::patiently).toList();
    List<CompletableFuture<ProcessGroup>> ends = new ArrayList<>();
    for (int rank : List.of(0, 1, 2)) {
      ends.add(Ranks.inThread(() -> all.get(rank).shrink(Duration.ofSeconds(2))));
    }
    ends.forEach(end -> assertEquals(List.of(0, 1, 2), Ranks.patiently(end).ranks()));
    assertTrue(all.get(3).failure().isPresent() || all.get(3).size() == SIZE);
    UnavailableException late =
        assertThrows(UnavailableException.class, () -> all.get(3).shrink(PATIENCE));
    assertTrue(late.getMessage().contains("the survivors form, ranks [0, 1, 2]"), "" + late);
    all.get(3).close();
  }

  @Test
  void deathAtAnyStepOfTheAgreement_isSurvived() {
    int step = 0;
    for (boolean died = true; died && step < 60; step += EACH) {
      died = dieAtStep(step);
    }
    assertTrue(step > 8 && step < 60, "the call has " + step + " operations of the store");
  }

  /** Rank 0 is lost, and rank 2 at its so-manieth operation of the store; whether it was. */
  private boolean dieAtStep(int step) {
    String name = "step" + step;
    AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
    Store mortal = mortal(left);
    Device dying = Devices.open("tcp", DeviceOptions.DEFAULTS.with("bind", "127.0.0.1"));
    List<CompletableFuture<ProcessGroup>> groups = new ArrayList<>();
    for (int each = 0; each < SIZE; each++) {
      int rank = each;
      groups.add(
          Ranks.inThread(
              () ->
                  rank == 2
                      ? connect(name, rank, mortal, dying)
                      : connect(name, rank, store, device)));
    }
    List<ProcessGroup> all = groups.stream().map(Ranks::patiently).toList();
    CompletableFuture<Boolean> victim =
        Ranks.inThread(
            () -> {
              left.set(step);
              try (dying) { // ends with all its meshes, as a process does
                ProcessGroup next = all.get(2).shrink(PATIENCE);
                left.set(Integer.MAX_VALUE);
                next.allreduce(new float[1], ReduceOp.SUM);
                return false;
              } catch (Death e) {
                return true;
              }
            });
    List<CompletableFuture<String>> ends = new ArrayList<>();
    for (int rank : List.of(1, 3)) {
      ends.add(Ranks.inThread(() -> survive(all.get(rank), 2)));
    }
    all.get(0).close();
    assertEquals("[1, 3] is 0", Ranks.patiently(ends.get(0)));
    assertEquals("[1, 3] is 1", Ranks.patiently(ends.get(1)));
    return Ranks.patiently(victim);
  }

  /** Hundreds of ranks connect to it at the same time, each to wait for a tenth of a second. */
  @Test
  void storeThatIsTooSlowForShortWaits_isAskedAgain() {
    AtomicInteger refusals = new AtomicInteger();
    CompletableFuture<Boolean> waits = new CompletableFuture<>();
    AtomicBoolean connected = new AtomicBoolean();
    Store slow =
        proxy(
            (self, method, arguments) -> {
              if (connected.get() && method.getName().equals("await") && refusals.get() < 5) {
                refusals.incrementAndGet();
                waits.complete(true);
                throw new StoreUnavailableException("no answer in time", null);
              }
              return ask(method, arguments);
            });
    List<CompletableFuture<ProcessGroup>> groups = new ArrayList<>();
    for (int each = 0; each < SIZE; each++) {
      int rank = each;
      groups.add(Ranks.inThread(() -> connect("slow", rank, rank == 2 ? slow : store, device)));
    }
    List<ProcessGroup> all = groups.stream().map(Ranks::patiently).toList();
    connected.set(true);
    all.get(0).close();
    List<CompletableFuture<String>> ends = new ArrayList<>();
    ends.add(Ranks.inThread(() -> survive(all.get(2), 3)));
    assertTrue(Ranks.patiently(waits), "it waits for the others");
    ends.add(Ranks.inThread(() -> survive(all.get(1), 3)));
    ends.add(Ranks.inThread(() -> survive(all.get(3), 3)));
    assertEquals("[1, 2, 3] is 1", Ranks.patiently(ends.get(0)));
    ends.forEach(Ranks::patiently);
  }

  /** The store of a rank that dies in its so-manieth operation. */
  private Store mortal(AtomicInteger left) {
    return proxy(
        (self, method, arguments) -> {
          if (left.getAndDecrement() <= 0) {
            throw new Death();
          }
          return ask(method, arguments);
        });
  }

  private Object ask(Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(store, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static Store proxy(InvocationHandler handler) {
    return (Store)
        Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class}, handler);
  }
}
