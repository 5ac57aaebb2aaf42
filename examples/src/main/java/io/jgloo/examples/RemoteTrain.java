package io.jgloo.examples;

import io.jgloo.examples.LibsvmFile.Row;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rpc.RRef;
import io.jgloo.rpc.RRefs;
import io.jgloo.rpc.RpcAgent;
import io.jgloo.rpc.RpcFunction;
import io.jgloo.rpc.RpcOptions;
import io.jgloo.rpc.RpcRegistry;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.MessengerOptions;
import io.jgloo.rpc.codec.Codec;
import io.jgloo.rpc.codec.Codecs;
import io.jgloo.transport.DeviceOptions;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/**
 * Trains on a LIBSVM file with a model that one agent holds and the others reach by a remote
 * reference.
 *
 * <p>{@code RemoteTrain RANK SIZE STORE FILE STEPS [HOST]}, as {@link Train}. Agent 0 holds the
 * model. Agent 1 has it made there and calls all trainers, agents 1 to SIZE - 1, with the
 * reference. In a step each trainer fetches the weights, sums the gradient over its rows, and calls
 * a function of the holder with the reference and the gradient.
 */
public final class RemoteTrain {

  private static final double RATE = 0.5;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Codec<RRef<HeldModel>> MODEL = RRefs.codec(HeldModel.CODEC);

  /** What a trainer is called with. */
  record Share(RRef<HeldModel> model, int trainer, int trainers, int steps) {}

  /** What a trainer calls the holder with. */
  record Gradient(
      RRef<HeldModel> model, int trainer, int trainers, List<Double> sums, double factor) {}

  private static final RpcFunction<Integer, HeldModel> MAKE =
      new RpcFunction<>("make", Codecs.INT, HeldModel.CODEC);
  private static final RpcFunction<Share, Double> TRAIN =
      new RpcFunction<>(
          "train",
          Codecs.record(
              MethodHandles.lookup(), Share.class, MODEL, Codecs.INT, Codecs.INT, Codecs.INT),
          Codecs.DOUBLE);
  private static final RpcFunction<Gradient, Double> STEP =
      new RpcFunction<>(
          "step",
          Codecs.record(
              MethodHandles.lookup(),
              Gradient.class,
              MODEL,
              Codecs.INT,
              Codecs.INT,
              Codecs.list(Codecs.DOUBLE),
              Codecs.DOUBLE),
          Codecs.DOUBLE);

  private final List<Row> rows;

  private RemoteTrain(List<Row> rows) {
    this.rows = rows;
  }

  /** Prints what the training came to. */
  public static void main(String[] args) throws IOException {
    if (args.length < 5 || args.length > 6) {
      throw new IllegalArgumentException("arguments must be RANK SIZE STORE FILE STEPS [HOST]");
    }
    DeviceOptions device = DeviceOptions.DEFAULTS;
    if (args.length == 6) {
      device = device.with("reach", args[5]);
    }
    RemoteTrain training = new RemoteTrain(LibsvmFile.read(Path.of(args[3])));
    int rank = Integer.parseInt(args[0]);
    int size = Integer.parseInt(args[1]);
    RpcOptions options =
        RpcOptions.builder()
            .messenger(MessengerOptions.builder().device("tcp", device).build())
            .functions(training.functions())
            .build();
    try (Store store = Stores.open(args[2], rank, PATIENCE);
        RpcAgent agent = RpcAgent.start("agent" + rank, rank, size, store, options)) {
      if (rank == 1) {
        training.lead(agent, size - 1, Integer.parseInt(args[4]));
      }
      if (!agent.shutdown(PATIENCE)) {
        throw new IllegalStateException("the others do not end: " + agent.rrefs().leaks());
      }
    }
  }

  private RpcRegistry functions() {
    return new RpcRegistry()
        .register(MAKE, (context, weights) -> new HeldModel(new double[weights]))
        .register(TRAIN, (context, share) -> train(context.agent(), share))
        .register(
            STEP,
            (context, gradient) -> {
              try (RRef<HeldModel> ref = gradient.model) {
                HeldModel model = ref.localValue();
                return model.step(
                    gradient.trainer, gradient.trainers, gradient.sums, gradient.factor);
              }
            });
  }

  /** Has the model made, and all trainers train it. */
  private void lead(RpcAgent agent, int trainers, int steps) {
    AgentId holder = agent.peer("agent0");
    int weights = LibsvmFile.features(rows) + 1;
    try (RRef<HeldModel> model = agent.rrefs().remote(holder, MAKE, weights)) {
      List<CompletableFuture<Double>> losses = new ArrayList<>();
      for (int i = 0; i < trainers; i++) {
        Share share = new Share(model, i, trainers, steps);
        losses.add(agent.rpcAsync(agent.peer("agent" + (i + 1)), TRAIN, share));
      }
      double loss = losses.get(0).join();
      losses.forEach(CompletableFuture::join);
      double[] trained = model.toHere().weights();
      System.out.println(
          String.format(
              Locale.ROOT,
              "%d trainers: loss %.17g, accuracy %.4f",
              trainers,
              loss,
              accuracy(trained)));
    }
  }

  /** Trains on each row that is this trainer's; returns the mean loss before the last step. */
  private double train(RpcAgent agent, Share share) {
    double loss = Double.NaN;
    try (RRef<HeldModel> model = share.model) {
      for (int step = 0; step < share.steps; step++) {
        List<Double> sums = gradient(model.toHere().weights(), share.trainer, share.trainers);
        Gradient gradient =
            new Gradient(model, share.trainer, share.trainers, sums, RATE / rows.size());
        loss = agent.rpcSync(model.owner(), STEP, gradient) / rows.size();
      }
    }
    return loss;
  }

  /** The sums over a trainer's rows: the gradient for the weights and the bias, and the loss. */
  private List<Double> gradient(double[] weights, int trainer, int trainers) {
    int bias = weights.length - 1;
    double[] sums = new double[weights.length + 1];
    for (int i = trainer; i < rows.size(); i += trainers) {
      Row row = rows.get(i);
      double margin = (row.isYes() ? 1 : -1) * (row.dot(weights) + weights[bias]);
      double pull = (row.isYes() ? -1 : 1) / (1 + StrictMath.exp(margin));
      row.addTo(sums, pull);
      sums[bias] += pull;
      sums[bias + 1] += StrictMath.log1p(StrictMath.exp(-margin));
    }
    return Arrays.stream(sums).boxed().toList();
  }

  private double accuracy(double[] weights) {
    double bias = weights[weights.length - 1];
    long right = rows.stream().filter(row -> row.dot(weights) + bias > 0 == row.isYes()).count();
    return (double) right / rows.size();
  }
}
