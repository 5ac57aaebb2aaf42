package io.jgloo.bench.probe;

import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Runs a probe: {@code PROBE RANK SIZE STORE CONGESTION ARGUMENTS...}; all ranks in this JVM if
 * RANK is {@code all}.
 */
public final class ProbeMain {

  private static final int OWN_ARGUMENTS = 5;
  private static final int FAILURE = 3;

  private ProbeMain() {}

  public static void main(String[] arguments) throws InterruptedException {
    Logger.getLogger("").setLevel(Level.WARNING);
    Probe probe = probe(arguments[0]);
    int size = Integer.parseInt(arguments[2]);
    DeviceOptions options =
        DeviceOptions.DEFAULTS
            .with("bind", "127.0.0.1")
            .with("memory", "off")
            .with("congestion", arguments[4]);
    List<String> rest = List.of(Arrays.copyOfRange(arguments, OWN_ARGUMENTS, arguments.length));
    AtomicReference<Throwable> failure = new AtomicReference<>();
    if (arguments[1].equals("all")) {
      try (HashStore store = new HashStore(Place.PATIENCE)) {
        runAll(probe, size, store, options, rest, failure);
      }
    } else {
      int rank = Integer.parseInt(arguments[1]);
      try (Store store = Stores.open(arguments[3], rank, Place.PATIENCE)) {
        run(probe, rank, size, store, options, rest, failure);
      }
    }
    if (failure.get() != null) {
      failure.get().printStackTrace();
      System.exit(FAILURE);
    }
  }

  private static Probe probe(String name) {
    return switch (name) {
      case "exchange" -> new ExchangeProbe();
      case "groups" -> new GroupsProbe();
      case "growth" -> new GrowthProbe();
      case "load" -> new LoadProbe();
      default -> throw new IllegalArgumentException("PROBE cannot be '" + name + "'");
    };
  }

  private static void runAll(
      Probe probe,
      int size,
      HashStore store,
      DeviceOptions options,
      List<String> rest,
      AtomicReference<Throwable> failure)
      throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      int own = rank;
      threads.add(
          new Thread(
              () -> run(probe, own, size, store, options, rest, failure), "probe-rank-" + rank));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static void run(
      Probe probe,
      int rank,
      int size,
      Store store,
      DeviceOptions options,
      List<String> rest,
      AtomicReference<Throwable> failure) {
    try (Device device = Devices.open("tcp", options)) {
      probe.run(new Place(rank, size, store, device, rest, System.out::println));
    } catch (Exception | Error e) {
      failure.compareAndSet(null, e);
    }
  }
}
