package io.jgloo.examples;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.jgloo.ProcessGroup;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.examples.LibsvmFile.Row;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreTimeoutException;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.JGlooException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Trains as one of several processes, of which any may be killed and replaced.
 *
 * <p>{@code ElasticWorker STORE FILE STEPS [RANK SIZE]}; without a rank it is a replacement. {@link
 * ElasticJob} starts the workers and serves the store.
 *
 * <p>Every worker keeps a checkpoint in memory: the model after a multiple of {@link #INTERVAL}
 * steps. After a failure the survivors shrink the group, take the latest checkpoint that one of
 * them has, and go on.
 *
 * <p>A replacement takes a number from the store and waits. At the next checkpoint rank 0 of the
 * group finds it and writes its rank in a new group into the store, and all of them connect. The
 * old group stays open until they agree, by one key of the store, that the new one has formed; if
 * not, the members go on in the old one and the replacement takes another number.
 *
 * <p><em>Threads</em>: one.
 */
public final class ElasticWorker {

  /** Steps between two checkpoints. */
  static final int INTERVAL = 5;

  static final double RATE = 0.5;
  private static final Duration PACE = Duration.ofMillis(100); // to make time for kills
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration SLICE = Duration.ofMillis(100);
  private static final String WAITING = "waiting"; // number of replacements that have begun to wait
  private static final String ADMITTED = "admitted"; // number of them that were given a rank
  private static final String ATTEMPTS = "attempts"; // number of new groups that were tried
  private static final String TRAINED = "trained";
  private static final byte[] FORMED = "formed".getBytes(US_ASCII);
  private static final byte[] FAILED = "failed".getBytes(US_ASCII);
  private static final byte[] NOTHING = {};

  private final Store store;
  private final Device device;
  private final List<Row> rows;
  private final int steps;
  private long step; // of the checkpoint, as the model
  private double[] model;
  private ProcessGroup group;

  private ElasticWorker(Store store, Device device, List<Row> rows, int steps) {
    this.store = store;
    this.device = device;
    this.rows = rows;
    this.steps = steps;
    model = new double[LibsvmFile.features(rows) + 1];
  }

  /** Prints step, loss and a hash of the bits of the model at each checkpoint. */
  public static void main(String[] args) throws Exception {
    if (args.length != 3 && args.length != 5) {
      throw new IllegalArgumentException("arguments must be STORE FILE STEPS [RANK SIZE]");
    }
    List<Row> rows = LibsvmFile.read(Path.of(args[1]));
    DeviceOptions options = DeviceOptions.DEFAULTS.with("reach", "127.0.0.1");
    try (Store store = Stores.open(args[0], 0, PATIENCE);
        Device device = Devices.open("tcp", options)) {
      ElasticWorker worker = new ElasticWorker(store, device, rows, Integer.parseInt(args[2]));
      Optional<ProcessGroup> first =
          args.length == 3
              ? worker.join()
              : Optional.of(
                  worker.connect("first", Integer.parseInt(args[3]), Integer.parseInt(args[4])));
      if (first.isPresent()) {
        worker.group = first.get();
        worker.train();
      }
    }
  }

  private void train() throws InterruptedException {
    LogisticRegression training = null;
    boolean trained = false;
    while (!trained) {
      try {
        if (training == null) {
          training = restore();
        }
        if (step >= steps) {
          group.barrier(); // the others have the last checkpoint, too
          trained = true;
        } else if (grow()) {
          training = null;
        } else {
          advance(training);
          Thread.sleep(PACE.toMillis());
        }
      } catch (JGlooException e) {
        print("%s fails: %s", group, e.getMessage());
        group = group.shrink(PATIENCE);
        training = null;
      }
    }
    store.set(TRAINED, NOTHING);
    group.close();
  }

  private void advance(LogisticRegression training) {
    double loss = Double.NaN;
    for (int i = 0; i < INTERVAL; i++) {
      loss = training.step();
    }
    step += INTERVAL;
    model = training.model();
    print("step %d: loss %.17g, model %016x", step, loss, Train.bits(model));
  }

  /** Takes the latest checkpoint of the members; every one is the model of some step. */
  private LogisticRegression restore() {
    long[] checkpoints = new long[group.size()];
    group.allgather(new long[] {step}, checkpoints);
    long latest = Arrays.stream(checkpoints).max().orElseThrow();
    int root = 0;
    while (checkpoints[root] != latest) {
      root++;
    }
    double[] received = model.clone();
    group.broadcast(received, root);
    step = latest;
    model = received;
    LogisticRegression training =
        new LogisticRegression(group, rows, LibsvmFile.features(rows), RATE);
    training.resume(model);
    print("goes on from step %d", step);
    return training;
  }

  private void print(String format, Object... arguments) {
    String text = String.format(Locale.ROOT, format, arguments);
    long pid = ProcessHandle.current().pid();
    // One string, as the lines of several processes meet.
    System.out.println("[" + pid + ", rank " + group.rank() + " of " + group.size() + "] " + text);
  }

  // New groups.

  /** Takes waiting replacements into a new group, if there are any; whether that has happened. */
  private boolean grow() {
    long[] plan = new long[3]; // the first replacement, the one after the last, the attempt
    if (group.rank() == 0) {
      plan[0] = store.add(ADMITTED, 0);
      plan[1] = store.add(WAITING, 0);
      plan[2] = plan[0] == plan[1] ? 0 : store.add(ATTEMPTS, 1);
    }
    group.broadcast(plan, 0);
    if (plan[0] == plan[1]) {
      return false;
    }
    int replacements = (int) (plan[1] - plan[0]);
    int size = group.size() + replacements;
    String name = "attempt-" + plan[2];
    if (group.rank() == 0) {
      for (int i = 0; i < replacements; i++) {
        String admission = name + " " + (group.size() + i) + " " + size;
        store.set("admission-" + (plan[0] + i), admission.getBytes(US_ASCII));
      }
      store.add(ADMITTED, replacements);
    }
    ProcessGroup next = tryToConnect(name, group.rank(), size);
    boolean formed = haveAllConnected(next != null) ? agree(name, FORMED) : agree(name, FAILED);
    if (formed) {
      group.close();
      group = next;
    } else if (next != null) {
      next.close();
    }
    return formed;
  }

  private boolean haveAllConnected(boolean connected) {
    int[] all = {connected ? 1 : 0};
    try {
      group.allreduce(all, ReduceOp.MIN);
    } catch (JGlooException e) {
      return false; // a member was lost meanwhile
    }
    return all[0] == 1;
  }

  /** Whether the group has formed. The first proposal is taken, so all get the same answer. */
  private boolean agree(String name, byte[] proposal) {
    return Arrays.equals(store.compareSet("outcome-" + name, NOTHING, proposal), FORMED);
  }

  /** Waits to be taken into a group; empty if the training ends before. */
  private Optional<ProcessGroup> join() {
    while (true) {
      String key = "admission-" + (store.add(WAITING, 1) - 1);
      while (!isThere(key)) {
        if (store.check(List.of(TRAINED))) {
          return Optional.empty();
        }
      }
      String[] words = new String(store.get(key, PATIENCE), US_ASCII).split(" ", -1);
      ProcessGroup next =
          tryToConnect(words[0], Integer.parseInt(words[1]), Integer.parseInt(words[2]));
      if (next != null) {
        boolean decided = isThere("outcome-" + words[0], PATIENCE);
        if (agree(words[0], decided ? FORMED : FAILED)) {
          return Optional.of(next);
        }
        next.close();
      }
    }
  }

  private boolean isThere(String key) {
    return isThere(key, SLICE);
  }

  private boolean isThere(String key, Duration limit) {
    try {
      store.wait(List.of(key), limit);
      return true;
    } catch (StoreTimeoutException e) {
      return false;
    }
  }

  private ProcessGroup tryToConnect(String name, int rank, int size) {
    try {
      return connect(name, rank, size);
    } catch (JGlooException e) {
      System.out.println("group " + name + " does not form: " + e.getMessage());
      return null;
    }
  }

  private ProcessGroup connect(String name, int rank, int size) {
    return ProcessGroup.builder()
        .name(name)
        .rank(rank)
        .size(size)
        .store(store)
        .device(device)
        .connectTimeout(PATIENCE)
        .connect();
  }
}
