package io.jgloo.ps;

import io.jgloo.ps.handle.Handles;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.node.Role;
import io.jgloo.ps.node.Topology;
import io.jgloo.rendezvous.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A node in a process of its own, for tests that kill it.
 *
 * <p>Arguments: role, servers, workers, port of the scheduler, program, folder for snapshots. It
 * prints {@code up ID} when it has started and {@code end RESULT} when its program has ended.
 */
final class PsProcess {

  private static final Duration PATIENCE = Duration.ofSeconds(80);

  private PsProcess() {}

  static ChildJvm start(
      Role role, Topology topology, int port, int rank, String program, Path folder)
      throws IOException {
    return ChildJvm.start(
        PsProcess.class,
        role,
        topology.servers(),
        topology.workers(),
        port,
        rank,
        program,
        folder == null ? "-" : folder);
  }

  public static void main(String[] arguments) throws Exception {
    ChildJvm.endWithTheParent();
    Role role = Role.valueOf(arguments[0]);
    Topology topology =
        new Topology(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
    String program = arguments[5];
    PsOptions options =
        PsOptions.of(role, topology, "127.0.0.1", Integer.parseInt(arguments[3]))
            .withStartTimeout(PATIENCE)
            .withRank(Integer.parseInt(arguments[4]))
            .withReplicas(program.equals("replicate") ? 1 : 0);
    if (program.equals("silent")) {
      options = options.withHeartbeat(Duration.ZERO, Duration.ZERO);
    }
    AtomicReference<KvServer<float[]>> server = new AtomicReference<>();
    try (PsNode node = new PsNode(Cluster.local(options))) {
      if (role == Role.SERVER) {
        ServerOptions serving = ServerOptions.DEFAULTS;
        if (!arguments[6].equals("-")) {
          serving = serving.withSnapshot(rank -> file(arguments[6], rank));
        }
        server.set(
            KvServer.open(
                node,
                Acceptance.APP,
                ValueType.FLOATS,
                serving,
                shard -> Handles.sum(ValueType.FLOATS, 1)));
      }
      SimpleApp.open(
          node, 1, (sender, head, body) -> handle(node, server.get(), head, arguments[6]));
      node.start();
      System.out.println("up " + node.id());
      System.out.println("pid " + ProcessHandle.current().pid());
      switch (program) {
        case "example" -> {
          if (role == Role.WORKER) {
            KvWorker<float[]> worker = KvWorker.open(node, Acceptance.APP, ValueType.FLOATS);
            Acceptance.run(worker, 10_000, node.id().rank());
          }
        }
        case "push" -> push(node);
        case "wait", "replicate", "silent" -> {}
        default -> throw new IllegalArgumentException("no program " + program);
      }
      boolean together = node.finish(PATIENCE);
      System.out.println("end " + together);
    }
  }

  /** Requests of tests: 1 writes a snapshot, 2 ends the process as SIGKILL does, 3 ends pushing. */
  private static String handle(PsNode node, KvServer<?> server, int head, String folder) {
    if (head == 2) {
      Runtime.getRuntime().halt(137);
    }
    if (head == 3) {
      toldToEnd = true;
      return "";
    }
    Thread thread = // a snapshot waits for the shards, which a handler must not
        new Thread(
            () -> {
              try {
                server.snapshot(file(folder, node.id().rank()));
                System.out.println("snapshot");
              } catch (IOException e) {
                System.out.println("snapshot failed: " + e);
              }
            });
    thread.start();
    return "";
  }

  static Path file(String folder, int rank) {
    return Path.of(folder).resolve("server-" + rank);
  }

  /** Pushes and pulls its own keys until a line is read. */
  private static void push(PsNode node) {
    KvWorker<float[]> worker = KvWorker.open(node, Acceptance.APP, ValueType.FLOATS);
    long[] keys = Acceptance.keys(1000, node.id().rank());
    float[] ones = new float[1000];
    Arrays.fill(ones, 1);
    float[] outs = new float[1000];
    int rounds = 0;
    System.out.println("pushing");
    while (!toldToEnd) {
      worker.waitFor(worker.pushPull(keys, ones, outs));
      rounds++;
      for (float each : outs) {
        if (each != rounds) {
          throw new AssertionError("value " + each + " in round " + rounds);
        }
      }
    }
  }

  private static volatile boolean toldToEnd;
}
