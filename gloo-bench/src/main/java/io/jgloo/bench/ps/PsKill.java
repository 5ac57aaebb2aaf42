package io.jgloo.bench.ps;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jgloo.ps.Handles;
import io.jgloo.ps.KvCall;
import io.jgloo.ps.KvServer;
import io.jgloo.ps.KvWorker;
import io.jgloo.ps.NodeId;
import io.jgloo.ps.NodeListener;
import io.jgloo.ps.PsNode;
import io.jgloo.ps.PsOptions;
import io.jgloo.ps.Role;
import io.jgloo.ps.Topology;
import io.jgloo.ps.ValueType;
import io.jgloo.transport.GlooException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Kills a worker, a server and the scheduler while workers push and pull, and prints what each
 * other node sees, in milliseconds since the kill.
 */
final class PsKill {

  private static final int KEYS = 10_000;
  private static final long WATCH_SECONDS = 5;
  private static final Duration BARRIER = Duration.ofSeconds(2);
  private static final KvCall CALL = KvCall.DEFAULTS.withTimeout(Duration.ofSeconds(10));

  /** When the last signal was sent. */
  private volatile long killed = System.nanoTime();

  // The process that kills.

  int launch(Topology topology) throws Exception {
    int port = PsRun.freePort();
    Map<NodeId, Process> nodes = new LinkedHashMap<>();
    CountDownLatch running = new CountDownLatch(topology.workers());
    try {
      for (NodeId id : topology.nodes(Topology.ALL)) {
        ProcessBuilder builder = PsRun.process(id.role(), topology, port, "kill");
        builder.environment().put("DMLC_RANK", "" + id.rank());
        Process process = builder.redirectError(Redirect.INHERIT).start();
        nodes.put(id, process);
        daemon(() -> print(process, running), "reader");
      }
      if (!running.await(60, TimeUnit.SECONDS)) {
        System.err.println("the workers have not started within 60 s");
        return 1;
      }
      watch();
      kill(nodes, NodeId.worker(topology.workers() - 1));
      kill(nodes, NodeId.server(topology.servers() - 1));
      kill(nodes, NodeId.SCHEDULER);
      return 0;
    } finally {
      nodes.values().forEach(Process::destroyForcibly);
    }
  }

  private void kill(Map<NodeId, Process> nodes, NodeId node) throws InterruptedException {
    System.out.println("kill -9 of " + node);
    killed = System.nanoTime();
    nodes.get(node).destroyForcibly();
    watch();
  }

  private static void watch() throws InterruptedException {
    TimeUnit.SECONDS.sleep(WATCH_SECONDS);
  }

  private void print(Process node, CountDownLatch running) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(node.getInputStream(), UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.equals("running")) {
          running.countDown();
        } else {
          System.out.printf(
              Locale.ROOT, "%+8.1f ms  %s%n", (System.nanoTime() - killed) / 1e6, line);
        }
      }
    } catch (IOException e) {
      System.err.println("a node cannot be read: " + e);
    }
  }

  // A node.

  static void node(PsOptions options) throws IOException {
    try (PsNode node = new PsNode(options)) {
      if (options.role() == Role.SERVER) {
        KvServer.open(node, 0, ValueType.FLOATS, shard -> Handles.sum(ValueType.FLOATS, 1));
      }
      node.listen(
          new NodeListener() {
            @Override
            public void down(NodeId lost, long incarnation, GlooException cause) {
              System.out.println(node.id() + ": " + lost + " is lost: " + cause.getMessage());
            }
          });
      node.start();
      if (options.role() == Role.WORKER) {
        daemon(() -> barriers(node), "barriers");
        daemon(() -> work(node), "work");
      }
      int unused = System.in.read(); // until the launcher ends
    }
    System.exit(0);
  }

  private static void daemon(Runnable body, String name) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Calls to each server on its own, so that the loss of one does not hide the others. */
  private static void work(PsNode node) {
    KvWorker<float[]> worker = KvWorker.open(node, 0, ValueType.FLOATS);
    int servers = node.topology().servers();
    String[] last = new String[servers];
    int[] calls = new int[servers];
    float[] ones = new float[KEYS];
    Arrays.fill(ones, 1);
    long next = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
    System.out.println("running");
    while (true) {
      for (int server = 0; server < servers; server++) {
        String outcome = call(worker, server, ones);
        calls[server] += outcome.equals("ok") ? 1 : 0;
        if (last[server] != null && !outcome.equals(last[server])) {
          System.out.println(node.id() + ": calls to server " + server + ": " + outcome);
        }
        last[server] = outcome;
      }
      if (System.nanoTime() - next > 0) {
        next += TimeUnit.SECONDS.toNanos(1);
        System.out.println(
            node.id() + ": calls within the second, by server: " + Arrays.toString(calls));
        Arrays.fill(calls, 0);
      }
    }
  }

  private static String call(KvWorker<float[]> worker, int server, float[] ones) {
    int servers = worker.node().topology().servers();
    long first = server * Long.divideUnsigned(-1L, servers);
    long[] keys = new long[KEYS];
    Arrays.setAll(keys, i -> first + i);
    try {
      worker.waitFor(worker.pushPull(keys, ones, new float[KEYS], CALL));
      return "ok";
    } catch (GlooException e) {
      return e.getClass().getSimpleName();
    }
  }

  /** A barrier of the workers every second. */
  private static void barriers(PsNode node) {
    String last = "ok";
    while (true) {
      String outcome = "ok";
      try {
        node.barrier(Topology.WORKERS, BARRIER);
        TimeUnit.MILLISECONDS.sleep(200);
      } catch (GlooException e) {
        outcome = e.getClass().getSimpleName() + ": " + e.getMessage();
      } catch (InterruptedException e) {
        return;
      }
      if (!outcome.equals(last) && !last.regionMatches(0, outcome, 0, 20)) {
        System.out.println(node.id() + ": barrier of the workers: " + outcome);
      }
      last = outcome;
    }
  }
}
