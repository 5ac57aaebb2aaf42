package io.jgloo.bench.ps;

import static io.jgloo.bench.command.Commands.require;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.jgloo.bench.command.Commands;
import io.jgloo.bench.command.Commands.Help;
import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.process.Child;
import io.jgloo.bench.process.Job;
import io.jgloo.ps.PsNode;
import io.jgloo.ps.PsOptions;
import io.jgloo.ps.node.Role;
import io.jgloo.ps.node.Topology;
import io.jgloo.rpc.agent.MessengerOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs the nodes of a parameter server as processes of this machine, as ps-lite's local script. */
@Command(
    name = "gloo-ps/run",
    sortOptions = false,
    usageHelpWidth = 100,
    description = {
      "",
      "Runs a scheduler, servers and workers on this machine. With DMLC_ROLE and the other"
          + " variables of ps-lite's launchers set it is one node.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all values were right; with --kill also: all survivors reported the killed node",
      "1:a value was wrong, or a survivor did not report the killed node",
      "2:the command line has an error",
      "3:a node has failed"
    })
public final class PsRun {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** What the nodes do. */
  enum Program {
    EXAMPLE,
    BENCH
  }

  @Parameters(
      arity = "0..1",
      paramLabel = "PROGRAM",
      defaultValue = "EXAMPLE",
      description = "example (of ps-lite, default) or bench (times of calls)")
  Program program;

  @Option(
      names = "--servers",
      paramLabel = "S",
      defaultValue = "1",
      description = "number of servers (default: ${DEFAULT-VALUE})")
  int servers;

  @Option(
      names = "--workers",
      paramLabel = "W",
      defaultValue = "1",
      description = "number of workers (default: ${DEFAULT-VALUE})")
  int workers;

  @Option(
      names = "--replicas",
      paramLabel = "R",
      defaultValue = "0",
      description = "replicas of the keys of each server, 0 or 1 (default: ${DEFAULT-VALUE})")
  int replicas;

  @Option(
      names = "--memory-route",
      paramLabel = "M",
      defaultValue = "auto",
      description = "attribute memory of the device: auto (default), off (sockets) or require")
  String memory;

  @Option(
      names = "--kill",
      paramLabel = "ROLE",
      description =
          "of bench: send SIGKILL to the last worker, the last server or the scheduler while all"
              + " workers push and pull, and print what each other node sees; with --replicas 1 a"
              + " killed server is replaced")
  Role victim;

  @Mixin Help help;

  /** Runs what the arguments say. */
  public static void main(String[] arguments) {
    System.exit(run(System.out, System.err, arguments));
  }

  /** Runs what the arguments say; returns the exit code. */
  static int run(PrintStream out, PrintStream err, String... arguments) {
    PsRun run = new PsRun();
    PrintWriter report = new PrintWriter(out, true, UTF_8);
    PrintWriter errors = new PrintWriter(err, true, UTF_8);
    return Commands.run(run, () -> run.run(report), report, errors, arguments);
  }

  private int run(PrintWriter out) throws IOException, InterruptedException {
    Map<String, String> environment = System.getenv();
    if (environment.containsKey("DMLC_ROLE")) {
      return node(PsOptions.fromEnvironment(environment));
    }
    require(victim == null || program == Program.BENCH, "--kill needs the program bench");
    PsOptions.of(Role.SERVER, topology(), "127.0.0.1", 1).withReplicas(replicas); // checks them
    return victim == null ? launch() : new PsKill(this, out).run();
  }

  Topology topology() {
    return new Topology(servers, workers);
  }

  private int launch() throws IOException, InterruptedException {
    int port = Job.freePort();
    List<Process> nodes = new ArrayList<>();
    try {
      for (var id : topology().nodes(Topology.ALL)) {
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
  ProcessBuilder process(Role role, int port) {
    List<String> command = Child.java(PsRun.class);
    command.addAll(List.of(program.name(), "--memory-route", memory));
    if (victim != null) {
      command.addAll(List.of("--kill", victim.name()));
    }
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
    MessengerOptions connections = given.messenger();
    PsOptions options =
        given.withMessenger(
            connections.toBuilder()
                .device("tcp", connections.deviceOptions().with("memory", memory))
                .build());
    if (victim != null) {
      return new PsSurvivor(options).run();
    }
    boolean isExample = program == Program.EXAMPLE;
    try (PsNode node = new PsNode(options)) {
      if (options.role() == Role.SERVER) {
        if (isExample) {
          PsExample.serve(node);
        } else {
          PsBench.serve(node, options.replicas() > 0);
        }
      }
      node.start();
      boolean isRight = true;
      if (options.role() == Role.WORKER) {
        if (isExample) {
          isRight = PsExample.work(node);
        } else {
          PsBench.work(node, options.replicas() > 0);
        }
      }
      if (!node.finish(PATIENCE)) {
        System.err.println(node.id() + ": other nodes have not ended");
        return ExitCode.FAILURE;
      }
      return isRight ? ExitCode.VERIFIED : ExitCode.WRONG;
    }
  }
}
