package io.jgloo.bench.ps;

import io.jgloo.ps.PsNode;
import io.jgloo.ps.PsOptions;
import io.jgloo.ps.Role;
import io.jgloo.ps.Topology;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Runs the nodes of a parameter server as processes of this machine, as ps-lite's local script
 * does.
 *
 * <p>{@code PsRun --servers S --workers W [example|bench|kill]}. With {@code DMLC_ROLE} set the
 * process is one node instead, and its argument the program.
 */
public final class PsRun {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private PsRun() {}

  /** Exit code 0 if all nodes have ended so, 1 if one has not, 2 if an argument is wrong. */
  public static void main(String[] arguments) throws Exception {
    Map<String, String> environment = System.getenv();
    String program = "example";
    int servers = 1;
    int workers = 1;
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--servers" -> servers = Integer.parseInt(arguments[++i]);
        case "--workers" -> workers = Integer.parseInt(arguments[++i]);
        case "example", "bench", "kill" -> program = arguments[i];
        default -> {
          System.err.println("usage: gloo-ps/run --servers S --workers W [example|bench|kill]");
          System.exit(2);
        }
      }
    }
    if (environment.containsKey("DMLC_ROLE")) {
      node(PsOptions.fromEnvironment(environment), program);
    } else {
      Topology topology = new Topology(servers, workers);
      System.exit(
          program.equals("kill") ? new PsKill().launch(topology) : launch(topology, program));
    }
  }

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static int launch(Topology topology, String program) throws Exception {
    int port = freePort();
    List<Process> nodes = new ArrayList<>();
    try {
      for (var id : topology.nodes(Topology.ALL)) {
        nodes.add(process(id.role(), topology, port, program).inheritIO().start());
      }
      int failed = 0;
      for (Process node : nodes) {
        failed += node.waitFor() == 0 ? 0 : 1;
      }
      return failed == 0 ? 0 : 1;
    } finally {
      nodes.forEach(Process::destroyForcibly);
    }
  }

  /** How to start a node of this machine. */
  static ProcessBuilder process(Role role, Topology topology, int port, String program) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(PsRun.class.getName(), program));
    ProcessBuilder builder = new ProcessBuilder(command);
    Map<String, String> environment = builder.environment();
    environment.put("DMLC_ROLE", role.name().toLowerCase(Locale.ROOT));
    environment.put("DMLC_NUM_SERVER", "" + topology.servers());
    environment.put("DMLC_NUM_WORKER", "" + topology.workers());
    environment.put("DMLC_PS_ROOT_URI", "127.0.0.1");
    environment.put("DMLC_PS_ROOT_PORT", "" + port);
    environment.put("DMLC_NODE_HOST", "127.0.0.1");
    return builder;
  }

  private static void node(PsOptions options, String program) throws IOException {
    if (program.equals("kill")) {
      PsKill.node(options);
      return;
    }
    boolean isExample = program.equals("example");
    try (PsNode node = new PsNode(options)) {
      if (options.role() == Role.SERVER) {
        if (isExample) {
          PsExample.serve(node);
        } else {
          PsBench.serve(node);
        }
      }
      node.start();
      if (options.role() == Role.WORKER) {
        if (isExample) {
          PsExample.work(node);
        } else {
          PsBench.work(node);
        }
      }
      if (!node.finish(PATIENCE)) {
        System.err.println(node.id() + ": other nodes have not ended");
        System.exit(1);
      }
    }
  }
}
