package io.jgloo.examples;

import io.jgloo.examples.LibsvmFile.Row;
import io.jgloo.ps.KvServer;
import io.jgloo.ps.KvWorker;
import io.jgloo.ps.PsNode;
import io.jgloo.ps.PsOptions;
import io.jgloo.ps.handle.Handles;
import io.jgloo.ps.handle.Optimizer;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.node.Role;
import io.jgloo.ps.node.Topology;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rpc.agent.MessengerOptions;
import io.jgloo.transport.DeviceOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/**
 * Trains on a LIBSVM file with a parameter server that holds the weights by key.
 *
 * <p>{@code PsTrain RANK SIZE STORE FILE STEPS [HOST]}, as {@link Train}. Process 0 has the
 * scheduler and a server, the others are workers. Key 0 is the bias, key i + 1 the weight of
 * feature i. In a step each worker pulls the weights of the features that its rows have, and pushes
 * the gradient for them; barriers keep the steps of the workers together.
 */
public final class PsTrain {

  private static final double RATE = 0.5;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final List<Row> rows;
  private final PsOptions options;

  private PsTrain(List<Row> rows, PsOptions options) {
    this.rows = rows;
    this.options = options;
  }

  /** Prints what the training came to. */
  public static void main(String[] args) throws Exception {
    if (args.length < 5 || args.length > 6) {
      throw new IllegalArgumentException("arguments must be RANK SIZE STORE FILE STEPS [HOST]");
    }
    DeviceOptions device = DeviceOptions.DEFAULTS;
    if (args.length == 6) {
      device = device.with("reach", args[5]);
    }
    int rank = Integer.parseInt(args[0]);
    Topology topology = new Topology(1, Integer.parseInt(args[1]) - 1);
    try (Store store = Stores.open(args[2], rank, PATIENCE)) {
      MessengerOptions messenger = MessengerOptions.builder().device("tcp", device).build();
      List<CompletableFuture<Void>> nodes = new ArrayList<>();
      for (Role role : rank == 0 ? List.of(Role.SCHEDULER, Role.SERVER) : List.of(Role.WORKER)) {
        PsOptions options =
            PsOptions.of(role, topology, store)
                .withMessenger(messenger.toBuilder().group("train").build())
                .withRank(rank == 0 ? 0 : rank - 1);
        PsTrain training = new PsTrain(LibsvmFile.read(Path.of(args[3])), options);
        int steps = Integer.parseInt(args[4]);
        nodes.add(
            CompletableFuture.runAsync(
                () -> training.run(steps), task -> new Thread(task, "train").start()));
      }
      nodes.forEach(CompletableFuture::join);
    }
  }

  private void run(int steps) {
    try (PsNode node = new PsNode(options)) {
      if (options.role() == Role.SERVER) {
        double rate = RATE / rows.size();
        KvServer.open(
            node,
            0,
            ValueType.DOUBLES,
            shard -> Handles.optimizer(ValueType.DOUBLES, 1, Optimizer.sgd(rate)));
      }
      node.start();
      if (options.role() == Role.WORKER) {
        train(node, steps);
      }
      if (!node.finish(PATIENCE)) {
        throw new IllegalStateException("the other nodes do not end");
      }
    }
  }

  private void train(PsNode node, int steps) {
    KvWorker<double[]> worker = KvWorker.open(node, 0, ValueType.DOUBLES);
    int first = node.id().rank();
    int workers = options.topology().workers();
    BitSet features = new BitSet();
    for (int i = first; i < rows.size(); i += workers) {
      rows.get(i).addFeatures(features);
    }
    long[] keys = keys(features);
    double[] model = new double[LibsvmFile.features(rows) + 1];
    for (int step = 0; step < steps; step++) {
      pull(worker, keys, model);
      node.barrier(Topology.WORKERS, PATIENCE); // all have the same weights
      double[] sums = gradient(model, first, workers);
      double[] values = new double[keys.length];
      for (int i = 0; i < keys.length; i++) {
        values[i] = sums[index(keys[i], sums)];
      }
      worker.waitFor(worker.push(keys, values));
      node.barrier(Topology.WORKERS, PATIENCE); // all gradients are applied
    }
    if (first == 0) {
      BitSet all = new BitSet();
      rows.forEach(row -> row.addFeatures(all));
      pull(worker, keys(all), model);
      print(workers, model);
    }
  }

  /** The bias, and the weights of features. */
  private static long[] keys(BitSet features) {
    long[] keys = new long[features.cardinality() + 1];
    int at = 1;
    for (int i = features.nextSetBit(0); i >= 0; i = features.nextSetBit(i + 1)) {
      keys[at++] = i + 1L;
    }
    return keys;
  }

  /** Where a key is in a vector of all weights and, last, the bias. */
  private static int index(long key, double[] vector) {
    return key == 0 ? vector.length - 1 : (int) key - 1;
  }

  private static void pull(KvWorker<double[]> worker, long[] keys, double[] model) {
    double[] values = new double[keys.length];
    worker.waitFor(worker.pull(keys, values));
    for (int i = 0; i < keys.length; i++) {
      model[index(keys[i], model)] = values[i];
    }
  }

  private double[] gradient(double[] model, int first, int workers) {
    int bias = model.length - 1;
    double[] sums = new double[model.length];
    for (int i = first; i < rows.size(); i += workers) {
      Row row = rows.get(i);
      double margin = (row.isYes() ? 1 : -1) * (row.dot(model) + model[bias]);
      double pull = (row.isYes() ? -1 : 1) / (1 + StrictMath.exp(margin));
      row.addTo(sums, pull);
      sums[bias] += pull;
    }
    return sums;
  }

  private void print(int workers, double[] model) {
    double bias = model[model.length - 1];
    double loss = 0;
    int right = 0;
    for (Row row : rows) {
      double score = row.dot(model) + bias;
      loss += StrictMath.log1p(StrictMath.exp(row.isYes() ? -score : score));
      right += score > 0 == row.isYes() ? 1 : 0;
    }
    System.out.println(
        String.format(
            Locale.ROOT,
            "%d workers: loss %.17g, accuracy %.4f",
            workers,
            loss / rows.size(),
            (double) right / rows.size()));
  }
}
