package io.jgloo.bench.probe;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.process.Child;
import io.jgloo.bench.process.Job;
import io.jgloo.bench.process.TemporaryFolder;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Runs probes: their ranks are processes of this machine, or threads of one. */
public final class ProbeMain {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String ALL_RANKS = "all";
  private static final int QUICK_CALLS = 50;
  private static final int OWN_ARGUMENTS = 6;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Probe.Task task;
  private final int size;
  private final DeviceOptions options;
  private final int calls;
  private final List<Long> arguments;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  private ProbeMain(String... words) {
    task = task(words[0]);
    size = Integer.parseInt(words[2]);
    options =
        DeviceOptions.DEFAULTS
            .with("bind", "127.0.0.1")
            .with("memory", "off")
            .with("congestion", words[4]);
    calls = Integer.parseInt(words[5]);
    arguments = Arrays.stream(words).skip(OWN_ARGUMENTS).map(Long::valueOf).toList();
  }

  /**
   * A probe about to be run.
   *
   * @param quick whether a few calls will do
   * @param arguments of the probe itself
   */
  public record Request(String probe, String congestion, boolean quick, List<Long> arguments) {

    /** Runs a process per rank; returns the lines that rank 0 prints. */
    public List<String> processes(int size) throws IOException, InterruptedException {
      try (TemporaryFolder store = TemporaryFolder.create()) {
        List<List<String>> commands = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
          commands.add(command("" + rank, size, "file://" + store.path()));
        }
        return Job.run(commands, PATIENCE);
      }
    }

    /** Runs all ranks as threads of one process. */
    public List<String> threads(int size) throws IOException, InterruptedException {
      return Job.run(PATIENCE, command(ALL_RANKS, size, "-"));
    }

    private List<String> command(String rank, int size, String store) {
      List<String> command = Child.java(ProbeMain.class);
      command.addAll(List.of(probe, rank, "" + size, store, congestion));
      command.add("" + (quick ? QUICK_CALLS : 0));
      arguments.forEach(each -> command.add(each.toString()));
      return command;
    }
  }

  /** The rows that lines of a probe hold. */
  public static List<Map<String, Object>> rows(List<String> lines) throws IOException {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (String line : lines) {
      rows.add(MAPPER.readValue(line, new TypeReference<>() {}));
    }
    return rows;
  }

  /**
   * Runs a rank: {@code PROBE RANK SIZE STORE CONGESTION CALLS ARGUMENTS...}; all ranks in this JVM
   * if RANK is {@code all}.
   */
  public static void main(String[] words) throws InterruptedException {
    Logger.getLogger("").setLevel(Level.WARNING);
    ProbeMain main = new ProbeMain(words);
    if (words[1].equals(ALL_RANKS)) {
      try (HashStore store = new HashStore(Probe.PATIENCE)) {
        main.runAll(store);
      }
    } else {
      int rank = Integer.parseInt(words[1]);
      try (Store store = Stores.open(words[3], rank, Probe.PATIENCE)) {
        main.run(rank, store);
      }
    }
    if (main.failure.get() != null) {
      main.failure.get().printStackTrace();
      System.exit(ExitCode.FAILURE);
    }
  }

  private static Probe.Task task(String name) {
    return switch (name) {
      case "exchange" -> new ExchangeProbe();
      case "groups" -> new GroupsProbe();
      case "growth" -> new GrowthProbe();
      case "load" -> new LoadProbe();
      default -> throw new IllegalArgumentException("PROBE cannot be '" + name + "'");
    };
  }

  private void runAll(HashStore store) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      int own = rank;
      threads.add(new Thread(() -> run(own, store), "probe-rank-" + rank));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void run(int rank, Store store) {
    try (Device device = Devices.open("tcp", options)) {
      task.run(new Probe(rank, size, store, device, calls, arguments));
    } catch (Exception | Error e) {
      failure.compareAndSet(null, e);
    }
  }
}
