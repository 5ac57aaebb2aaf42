package io.jgloo.rendezvous.store.tcp;

import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.TcpStoreLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
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
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Our server and PyTorch's side by side under the same clients, in one run, in turns. Not a test:
 *
 * <pre>
 *   mvn -Ppytorch -pl gloo-rendezvous -am test -Dtest=StoreThroughput \
 *       -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 *
 * <p>A round is short (16,000 calls, about half a second) and holds both, so that other load on the
 * machine meets both alike; what counts is the ratio within a round, and its quartiles over the
 * rounds say how sure it is. The processor time of the server's thread is printed beside it, for
 * most of a call is the clients' and the kernel's.
 */
final class StoreThroughput {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int ROUNDS = Integer.getInteger("rounds", 60);
  private static final int WARM_UP = ROUNDS / 3; // until the JVM has compiled clients and server
  private static final int CLIENTS = 8;
  private static final int CALLS = 1000; // per client, operation and round
  private static final byte[] VALUE = new byte[200]; // a rank's record is that long

  private interface Operation {
    void run(Store store, String key);
  }

  /**
   * Calls a second; the longest but for one in a hundred; and what the server's thread computed for
   * each, in microseconds.
   */
  private record Measured(double perSecond, double p99Micros, double serverMicros) {}

  private record Round(Measured ours, Measured theirs) {}

  @Test
  @Timeout(900)
  void sideBySide() throws Exception {
    Map<String, Operation> operations = new TreeMap<>();
    operations.put("set", (store, key) -> store.set(key, VALUE));
    operations.put("get", (store, key) -> store.get("there"));
    operations.put("add", (store, key) -> store.add(key + "c", 1));
    Map<String, List<Round>> results = new TreeMap<>();
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try (GenuineStore theirs = GenuineStore.serve(true);
        StoreServer ours =
            StoreServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                TcpStoreLimits.DEFAULT)) {
      for (int round = 0; round < WARM_UP + ROUNDS; round++) {
        for (Map.Entry<String, Operation> operation : operations.entrySet()) {
          Measured[] both = new Measured[2];
          for (int turn = 0; turn < 2; turn++) {
            boolean own = (round + turn) % 2 == 0;
            both[own ? 0 : 1] =
                measure(
                    threads,
                    own ? ours.port() : theirs.port(),
                    own ? "gloo-store-" : "pt_tcpstore",
                    operation.getValue());
          }
          if (round >= WARM_UP) {
            results
                .computeIfAbsent(operation.getKey(), absent -> new ArrayList<>())
                .add(new Round(both[0], both[1]));
          }
        }
      }
    } finally {
      threads.shutdownNow();
    }
    print(results);
  }

  private static Measured measure(
      ExecutorService threads, int port, String server, Operation operation) throws Exception {
    CyclicBarrier together = new CyclicBarrier(CLIENTS + 1);
    List<Future<long[]>> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(threads.submit(client(port, "k" + i, operation, together)));
    }
    together.await();
    long cpu = cpuNanos(server);
    long start = System.nanoTime();
    long[] all = new long[CLIENTS * CALLS];
    for (int i = 0; i < CLIENTS; i++) {
      System.arraycopy(clients.get(i).get(), 0, all, i * CALLS, CALLS);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    double serverMicros = (cpuNanos(server) - cpu) / 1e3 / all.length;
    Arrays.sort(all);
    return new Measured(all.length / seconds, all[all.length * 99 / 100] / 1e3, serverMicros);
  }

  private static Callable<long[]> client(
      int port, String key, Operation operation, CyclicBarrier together) {
    return () -> {
      try (TcpStoreClient store = TcpStoreClient.connect("127.0.0.1", port, LONG)) {
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

  /** What the threads of this process that are so called have computed. */
  private static long cpuNanos(String name) throws IOException {
    long sum = 0;
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
      for (Path task : tasks) {
        try {
          if (Files.readString(task.resolve("comm")).startsWith(name)) {
            sum += Long.parseLong(Files.readString(task.resolve("schedstat")).split(" ", 2)[0]);
          }
        } catch (NoSuchFileException e) {
          // a thread that has just ended, and so is no server
        }
      }
    }
    return sum;
  }

  private static void print(Map<String, List<Round>> results) {
    System.out.printf("%d clients, %d rounds; medians%n", CLIENTS, ROUNDS);
    System.out.printf(
        "%-4s %9s %9s %-18s %8s %9s %-18s %9s %9s%n",
        "",
        "ours/s",
        "PyTorch/s",
        "ratio (quartiles)",
        "p99 us",
        "PyTorch",
        "ratio (quartiles)",
        "server us",
        "PyTorch");
    results.forEach(
        (operation, rounds) ->
            System.out.printf(
                "%-4s %9.0f %9.0f %-18s %8.0f %9.0f %-18s %9.2f %9.2f%n",
                operation,
                median(rounds, round -> round.ours().perSecond()),
                median(rounds, round -> round.theirs().perSecond()),
                spread(rounds, round -> round.ours().perSecond() / round.theirs().perSecond()),
                median(rounds, round -> round.ours().p99Micros()),
                median(rounds, round -> round.theirs().p99Micros()),
                spread(rounds, round -> round.ours().p99Micros() / round.theirs().p99Micros()),
                median(rounds, round -> round.ours().serverMicros()),
                median(rounds, round -> round.theirs().serverMicros())));
  }

  private static double median(List<Round> rounds, ToDoubleFunction<Round> figure) {
    return quantile(rounds, figure, 0.5);
  }

  private static String spread(List<Round> rounds, ToDoubleFunction<Round> figure) {
    return String.format(
        "%.2f (%.2f-%.2f)",
        quantile(rounds, figure, 0.5),
        quantile(rounds, figure, 0.25),
        quantile(rounds, figure, 0.75));
  }

  private static double quantile(List<Round> rounds, ToDoubleFunction<Round> figure, double part) {
    double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
    return sorted[(int) (part * (sorted.length - 1))];
  }
}
