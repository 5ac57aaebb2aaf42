package io.jgloo.rendezvous;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Our server and PyTorch's side by side under the same clients, in one run, in turns. Not a test:
 *
 * <pre>
 *   mvn -Ppytorch -pl gloo-rendezvous -am test -Dtest=StoreThroughput \
 *       -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 */
final class StoreThroughput {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int ROUNDS = 15;
  private static final int CLIENTS = 8;
  private static final int CALLS = 2000; // per client, operation and round
  private static final byte[] VALUE = new byte[200]; // a rank's record is that long

  private interface Operation {
    void run(Store store, String key);
  }

  /** Operations a second, and the longest but for one in a hundred, in microseconds. */
  private record Measured(double perSecond, double p99Micros) {}

  @Test
  @Timeout(600)
  void sideBySide() throws Exception {
    Map<String, Operation> operations = new TreeMap<>();
    operations.put("set", (store, key) -> store.set(key, VALUE));
    operations.put("get", (store, key) -> store.get("there"));
    operations.put("add", (store, key) -> store.add(key + "c", 1));
    Map<String, List<Measured>> results = new TreeMap<>();
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try (GenuineStore theirs = GenuineStore.serve(true);
        TcpStoreServer ours =
            TcpStoreServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                TcpStoreLimits.DEFAULT)) {
      for (int round = 0; round <= ROUNDS; round++) {
        for (Map.Entry<String, Operation> operation : operations.entrySet()) {
          for (boolean own : new boolean[] {round % 2 == 0, round % 2 != 0}) {
            int port = own ? ours.port() : theirs.port();
            Measured measured = measure(threads, port, operation.getValue());
            if (round > 0) { // the first warms up
              String row = operation.getKey() + (own ? " ours" : " PyTorch");
              results.computeIfAbsent(row, absent -> new ArrayList<>()).add(measured);
            }
          }
        }
      }
    } finally {
      threads.shutdownNow();
    }
    print(results, operations.keySet());
  }

  private static Measured measure(ExecutorService threads, int port, Operation operation)
      throws Exception {
    CyclicBarrier together = new CyclicBarrier(CLIENTS + 1);
    List<Future<long[]>> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(threads.submit(client(port, "k" + i, operation, together)));
    }
    together.await();
    long start = System.nanoTime();
    long[] all = new long[CLIENTS * CALLS];
    for (int i = 0; i < CLIENTS; i++) {
      System.arraycopy(clients.get(i).get(), 0, all, i * CALLS, CALLS);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    Arrays.sort(all);
    return new Measured(all.length / seconds, all[all.length * 99 / 100] / 1e3);
  }

  private static Callable<long[]> client(
      int port, String key, Operation operation, CyclicBarrier together) {
    return () -> {
      try (TcpStore store = TcpStore.connect("127.0.0.1", port, LONG)) {
        store.set("there", VALUE);
        long[] nanos = new long[CALLS];
        together.await();
        for (int i = 0; i < CALLS; i++) {
          long start = System.nanoTime();
          operation.run(store, key);
          nanos[i] = System.nanoTime() - start;
        }
        return nanos;
      }
    };
  }

  private static void print(Map<String, List<Measured>> results, Iterable<String> operations) {
    System.out.printf("%d clients, %d rounds; medians%n", CLIENTS, ROUNDS);
    System.out.printf(
        "%-5s %12s %12s %7s %12s %12s%n",
        "", "ours/s", "PyTorch/s", "ratio", "p99 us", "PyTorch p99");
    for (String operation : operations) {
      Measured ours = median(results.get(operation + " ours"));
      Measured theirs = median(results.get(operation + " PyTorch"));
      System.out.printf(
          "%-5s %12.0f %12.0f %7.2f %12.0f %12.0f%n",
          operation,
          ours.perSecond(),
          theirs.perSecond(),
          ours.perSecond() / theirs.perSecond(),
          ours.p99Micros(),
          theirs.p99Micros());
    }
  }

  private static Measured median(List<Measured> rounds) {
    double[] rates = rounds.stream().mapToDouble(Measured::perSecond).sorted().toArray();
    double[] tails = rounds.stream().mapToDouble(Measured::p99Micros).sorted().toArray();
    return new Measured(rates[rates.length / 2], tails[tails.length / 2]);
  }
}
