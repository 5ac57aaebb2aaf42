package io.jgloo.examples;

import io.jgloo.ps.Embedding;
import io.jgloo.ps.KvServer;
import io.jgloo.ps.KvWorker;
import io.jgloo.ps.PsNode;
import io.jgloo.ps.PsOptions;
import io.jgloo.ps.handle.Handles;
import io.jgloo.ps.handle.Initializer;
import io.jgloo.ps.handle.Optimizer;
import io.jgloo.ps.kv.KvCall;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.node.NodeId;
import io.jgloo.ps.node.NodeLostException;
import io.jgloo.ps.node.Role;
import io.jgloo.ps.node.Topology;
import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.transport.DeviceOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Trains a factorization machine on sparse data: 3 workers, 2 servers with a replica of each, in
 * the threads of one process. {@code FactorizationMachine STEPS KILLS} ends a server so many times
 * and replaces it; the loss is that of a run without.
 *
 * <p>A row of data has an id of each of three fields; an id has a weight and a vector of 4 numbers
 * at the servers. Workers push gradients of their rows and end the round by a tick; servers add
 * what all workers have pushed in a round, and take a step of Adagrad.
 */
public final class FactorizationMachine {

  private static final int WORKERS = 3;
  private static final int SERVERS = 2;
  private static final int FACTORS = 4;
  private static final int ROW = 1 + FACTORS;
  private static final int[] FIELDS = {60, 40, 10};
  private static final int ROWS = 3000;
  private static final int BATCH = 100;
  private static final Duration PATIENCE = Duration.ofSeconds(100);

  private final HashStore store = new HashStore();
  private final Topology topology = new Topology(SERVERS, WORKERS);
  private final long[][] ids = new long[ROWS][FIELDS.length];
  private final float[] targets = new float[ROWS];
  private final List<PsNode> nodes = new ArrayList<>();
  private final AtomicInteger steps = new AtomicInteger();

  /** Makes data of a hidden model, the same each time. */
  private FactorizationMachine() {
    Initializer hidden = Initializer.normal(99, 1);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < ROWS; i++) {
      float[] parameters = new float[FIELDS.length * ROW];
      for (int field = 0; field < FIELDS.length; field++) {
        ids[i][field] = 1000L * field + random.nextInt(FIELDS[field]);
        for (int j = 0; j < ROW; j++) {
          parameters[ROW * field + j] = (float) hidden.value(ids[i][field], j);
        }
      }
      targets[i] = predict(parameters, 0) + (float) (random.nextDouble() - 0.5) / 5;
    }
  }

  /** Prints the loss. */
  public static void main(String[] arguments) throws Exception {
    int steps = Integer.parseInt(arguments[0]);
    int kills = Integer.parseInt(arguments[1]);
    System.out.printf("loss %.6f after %d steps and %d kills%n", run(steps, kills), steps, kills);
  }

  /** Trains; returns the mean square error of all rows. */
  static double run(int steps, int kills) throws Exception {
    return new FactorizationMachine().train(steps, kills);
  }

  private PsNode node(Role role, int rank) {
    PsOptions options = PsOptions.of(role, topology, store);
    DeviceOptions local = DeviceOptions.DEFAULTS.with("bind", "127.0.0.1");
    PsNode node =
        new PsNode(
            options
                .withMessenger(options.messenger().toBuilder().device("tcp", local).build())
                .withReplicas(1)
                .withRank(rank));
    if (role == Role.SERVER) {
      KvServer.open(
          node,
          0,
          ValueType.FLOATS,
          shard ->
              Handles.rounds(
                  ValueType.FLOATS,
                  Handles.optimizer(
                      ValueType.FLOATS, ROW, Optimizer.adagrad(0.2), Initializer.normal(7, 0.1)),
                  WORKERS,
                  WORKERS));
    }
    return node;
  }

  private double train(int count, int kills) throws Exception {
    try {
      List<CompletableFuture<Void>> starts = new ArrayList<>();
      for (NodeId id : topology.nodes(Topology.ALL)) {
        PsNode node = node(id.role(), id.rank());
        nodes.add(node);
        starts.add(inThread(node::start));
      }
      starts.forEach(CompletableFuture::join);
      List<CompletableFuture<Void>> workers = new ArrayList<>();
      List<KvWorker<float[]>> customers = new ArrayList<>();
      for (int rank = 0; rank < WORKERS; rank++) {
        PsNode node = nodes.get(1 + SERVERS + rank);
        KvWorker<float[]> worker = KvWorker.open(node, 0, ValueType.FLOATS);
        customers.add(worker);
        int first = rank;
        workers.add(inThread(() -> work(worker, first, count)));
      }
      for (int kill = 1; kill <= kills; kill++) {
        while (steps.get() < (long) count * WORKERS * kill / (kills + 1)) {
          Thread.onSpinWait();
        }
        int rank = kill % SERVERS;
        nodes.get(1 + rank).close();
        PsNode node = node(Role.SERVER, rank);
        nodes.set(1 + rank, node);
        node.start();
      }
      workers.forEach(CompletableFuture::join);
      return loss(new Embedding(customers.get(0), ROW));
    } finally {
      nodes.forEach(PsNode::close);
      store.close();
    }
  }

  private static CompletableFuture<Void> inThread(Runnable task) {
    return CompletableFuture.runAsync(task, body -> new Thread(body, "machine").start());
  }

  private void work(KvWorker<float[]> worker, int first, int count) {
    Embedding table = new Embedding(worker, ROW);
    for (int step = 0; step < count; step++) {
      long[] batch = new long[BATCH * FIELDS.length];
      int[] rows = new int[BATCH];
      for (int i = 0; i < BATCH; i++) {
        rows[i] = (first + WORKERS * (step * BATCH + i)) % ROWS;
        System.arraycopy(ids[rows[i]], 0, batch, FIELDS.length * i, FIELDS.length);
      }
      float[] parameters = lookup(table, worker, batch);
      push(worker, batch, gradients(rows, parameters));
      steps.incrementAndGet();
    }
  }

  private static float[] lookup(Embedding table, KvWorker<float[]> worker, long[] batch) {
    while (true) {
      try {
        return table.lookup(batch, KvCall.DEFAULTS).join();
      } catch (CompletionException e) {
        if (!(e.getCause() instanceof NodeLostException)) {
          throw e;
        }
        awaitServers(worker.node());
      }
    }
  }

  /** Pushes the sums of gradients and ends the round, until both are done. */
  private static void push(KvWorker<float[]> worker, long[] batch, float[] gradients) {
    long[] keys = Arrays.stream(batch).sorted().distinct().toArray();
    float[] sums = new float[ROW * keys.length];
    for (int i = 0; i < batch.length; i++) {
      int at = ROW * Arrays.binarySearch(keys, batch[i]);
      for (int j = 0; j < ROW; j++) {
        sums[at + j] += gradients[ROW * i + j];
      }
    }
    long push = worker.push(keys, sums);
    long tick = worker.tick(KvCall.DEFAULTS);
    while (true) {
      try {
        worker.waitFor(tick);
        worker.waitFor(push);
        return;
      } catch (NodeLostException e) {
        awaitServers(worker.node());
        push = worker.push(keys, sums, KvCall.DEFAULTS.repeating(push));
        tick = worker.tick(KvCall.DEFAULTS.repeating(tick));
      }
    }
  }

  private static void awaitServers(PsNode node) {
    for (int rank = 0; rank < SERVERS; rank++) {
      if (!node.awaitUp(NodeId.server(rank), PATIENCE)) {
        throw new IllegalStateException("server " + rank + " was not replaced");
      }
    }
  }

  /** Weights of the ids of a row, and products of their vectors. */
  private static float predict(float[] parameters, int begin) {
    double sum = 0;
    for (int i = 0; i < FIELDS.length; i++) {
      sum += parameters[begin + ROW * i];
      for (int other = 0; other < i; other++) {
        for (int j = 1; j < ROW; j++) {
          sum += parameters[begin + ROW * i + j] * parameters[begin + ROW * other + j];
        }
      }
    }
    return (float) sum;
  }

  private float[] gradients(int[] rows, float[] parameters) {
    float[] gradients = new float[parameters.length];
    for (int row = 0; row < rows.length; row++) {
      int begin = row * FIELDS.length * ROW;
      float error = (predict(parameters, begin) - targets[rows[row]]) / (rows.length * WORKERS);
      for (int i = 0; i < FIELDS.length; i++) {
        gradients[begin + ROW * i] = error;
        for (int j = 1; j < ROW; j++) {
          float others = 0;
          for (int other = 0; other < FIELDS.length; other++) {
            others += other == i ? 0 : parameters[begin + ROW * other + j];
          }
          gradients[begin + ROW * i + j] = error * others;
        }
      }
    }
    return gradients;
  }

  private double loss(Embedding table) {
    double sum = 0;
    for (int i = 0; i < ROWS; i++) {
      float[] parameters = table.lookup(ids[i], KvCall.DEFAULTS).join();
      double error = predict(parameters, 0) - targets[i];
      sum += error * error;
    }
    return sum / ROWS;
  }
}
