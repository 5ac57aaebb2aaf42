package io.jgloo.bench.ps;

import io.jgloo.bench.command.Commands;
import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.process.Child;
import io.jgloo.bench.process.Job;
import io.jgloo.ps.KvServer;
import io.jgloo.ps.KvWorker;
import io.jgloo.ps.PsNode;
import io.jgloo.ps.PsOptions;
import io.jgloo.ps.handle.Handles;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.node.Role;
import io.jgloo.ps.node.Topology;
import io.jgloo.rpc.agent.MessengerOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs the nodes of a parameter server as processes of this machine, as ps-lite's local script. */
@Command(
    name = "gloo-ps/run",
    showDefaultValues = true,
    description = {
      "",
      "Runs a scheduler, servers and workers on this machine. With DMLC_ROLE and the other"
          + " variables of ps-lite's launchers set it is one node.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all values were right",
      "1:a value was wrong",
      "2:the command line has an error",
      "3:a node has failed"
    })
public final class PsRun implements Commands.Command {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Programs of the nodes. */
  private enum Program {
    EXAMPLE,
    BENCH
  }

  @Parameters(
      arity = "0..1",
      paramLabel = "PROGRAM",
      description = "example (of ps-lite) or bench (times of calls)")
  private Program program = Program.EXAMPLE;

  @Option(names = "--servers", description = "number of servers")
  private int servers = 1;

  @Option(names = "--workers", description = "number of workers")
  private int workers = 1;

  @Option(names = "--replicas", description = "replicas of the keys of each server, 0 or 1")
  private int replicas;

  @Option(
      names = "--memory-route",
      description = "attribute memory of the device: auto, off (sockets) or require")
  private String memory = "auto";

  /** Runs what the arguments say. */
  public static void main(String[] arguments) {
    System.exit(Commands.run(new PsRun(), System.out, System.err, arguments));
  }

  @Override
  public int run(PrintWriter out, PrintWriter err) throws IOException, InterruptedException {
    Map<String, String> environment = System.getenv();
    if (environment.containsKey("DMLC_ROLE")) {
      return node(PsOptions.fromEnvironment(environment));
    }
    Topology topology = new Topology(servers, workers);
    PsOptions.of(Role.SERVER, topology, "127.0.0.1", 1).withReplicas(replicas); // checks them
    return launch(topology);
  }

  private int launch(Topology topology) throws IOException, InterruptedException {
    int port = Job.freePort();
    List<Process> nodes = new ArrayList<>();
    try {
      for (var id : topology.nodes(Topology.ALL)) {
        nodes.add(process(id.role(), port).inheritIO().start());
      }
      int worst = ExitCode.VERIFIED;
      for (Process node : nodes) {
        worst = Math.max(worst, node.waitFor());
      }
      return Math.min(worst, ExitCode.FAILURE);
    } finally {
      nodes.forEach(Process::destroyForcibly);
    }
  }

  /** How to start a node of this machine. */
  private ProcessBuilder process(Role role, int port) {
    List<String> command = Child.java(PsRun.class);
    command.addAll(List.of(program.name(), "--memory-route", memory));
    ProcessBuilder builder = new ProcessBuilder(command);
    Map<String, String> environment = builder.environment();
    environment.put("DMLC_ROLE", role.name().toLowerCase(Locale.ROOT));
    environment.put("DMLC_NUM_SERVER", "" + servers);
    environment.put("DMLC_NUM_WORKER", "" + workers);
    environment.put("DMLC_PS_ROOT_URI", "127.0.0.1");
    environment.put("DMLC_PS_ROOT_PORT", "" + port);
    environment.put("DMLC_NODE_HOST", "127.0.0.1");
    environment.put("PS_REPLICAS", "" + replicas);
    return builder;
  }

  private int node(PsOptions given) throws IOException, InterruptedException {
    MessengerOptions messenger = given.messenger();
    PsOptions options =
        given.withMessenger(
            messenger.toBuilder()
                .device("tcp", messenger.deviceOptions().with("memory", memory))
                .build());
    boolean isExample = program == Program.EXAMPLE;
    boolean isReplicated = options.replicas() > 0;
    try (PsNode node = new PsNode(options)) {
      if (options.role() == Role.SERVER && isExample) {
        PsExample.serve(node);
      } else if (options.role() == Role.SERVER) {
        PsBench.serve(node, isReplicated);
      }
      node.start();
      boolean isRight = true;
      if (options.role() == Role.WORKER && isExample) {
        isRight = PsExample.work(node);
      } else if (options.role() == Role.WORKER) {
        PsBench.work(node, isReplicated);
      }
      if (!node.finish(PATIENCE)) {
        System.err.println(node.id() + ": other nodes have not ended");
        return ExitCode.FAILURE;
      }
      return isRight ? ExitCode.VERIFIED : ExitCode.WRONG;
    }
  }

  /**
   * The example of ps-lite: 10,000 keys, 50 pushes of which 10 are outstanding, a pull, and 50
   * calls that push and pull.
   */
  private static final class PsExample {

    private static final int KEYS = 10_000;
    private static final int REPEATS = 50;
    private static final int OUTSTANDING = 10;

    private PsExample() {}

    static void serve(PsNode node) {
      KvServer.open(node, 0, ValueType.FLOATS, shard -> Handles.sum(ValueType.FLOATS, 1));
    }

    /** Returns whether all values are right. */
    static boolean work(PsNode node) {
      KvWorker<float[]> worker = KvWorker.open(node, 0, ValueType.FLOATS);
      long[] keys = new long[KEYS];
      float[] values = new float[KEYS];
      long step = Long.divideUnsigned(-1L, KEYS);
      for (int i = 0; i < KEYS; i++) {
        keys[i] = step * i + node.id().rank();
        values[i] = i % 1000;
      }
      ArrayDeque<Long> outstanding = new ArrayDeque<>();
      for (int i = 0; i < REPEATS; i++) {
        outstanding.add(worker.push(keys, values));
        if (outstanding.size() > OUTSTANDING) {
          worker.waitFor(outstanding.poll());
        }
      }
      outstanding.forEach(worker::waitFor);
      float[] pulled = new float[KEYS];
      worker.waitFor(worker.pull(keys, pulled));
      float[] outs = new float[KEYS];
      for (int i = 0; i < REPEATS; i++) {
        worker.waitFor(worker.pushPull(keys, values, outs));
      }
      double pull = error(pulled, values, REPEATS);
      double both = error(outs, values, 2 * REPEATS);
      System.out.println(node.id() + ": error " + pull + " of pull, " + both + " of push and pull");
      return pull == 0 && both == 0;
    }

    private static double error(float[] actual, float[] values, int factor) {
      double sum = 0;
      for (int i = 0; i < actual.length; i++) {
        sum += Math.abs(actual[i] - factor * values[i]);
      }
      return sum / factor;
    }
  }
}
