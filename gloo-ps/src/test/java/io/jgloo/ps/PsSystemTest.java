package io.jgloo.ps;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.ps.kv.KvCall;
import io.jgloo.ps.kv.KvFilters;
import io.jgloo.ps.kv.Slicer;
import io.jgloo.ps.kv.StateLostException;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.node.BarrierTimeoutException;
import io.jgloo.ps.node.NodeCountException;
import io.jgloo.ps.node.NodeId;
import io.jgloo.ps.node.NodeLostException;
import io.jgloo.ps.node.Role;
import io.jgloo.ps.node.Topology;
import io.jgloo.rendezvous.ChildJvm;
import io.jgloo.transport.FreePort;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes in processes of their own, which are killed and replaced. */
@Timeout(240)
final class PsSystemTest {

  private static final boolean FULL = Boolean.getBoolean("jgloo.test.full");
  private static final Duration PATIENCE = Duration.ofSeconds(80);
  private static final long[] KEYS = {1, 5, 1L << 62};

  @TempDir private Path folder;
  private final List<ChildJvm> children = new ArrayList<>();
  private final List<PsNode> nodes = new ArrayList<>();
  private int port;

  @BeforeEach
  void choosePort() throws IOException {
    port = FreePort.choose();
  }

  @AfterEach
  void end() {
    nodes.forEach(PsNode::close);
    children.forEach(ChildJvm::close);
  }

  private ChildJvm child(Role role, Topology topology, int rank, String program, Path snapshots)
      throws IOException {
    ChildJvm child = PsProcess.start(role, topology, port, rank, program, snapshots);
    children.add(child);
    return child;
  }

  private PsNode node(Role role, Topology topology, int rank) {
    return node(role, topology, rank, 0);
  }

  private PsNode node(Role role, Topology topology, int rank, int replicas) {
    return node(role, topology, rank, options -> options.withReplicas(replicas));
  }

  private PsNode node(Role role, Topology topology, int rank, UnaryOperator<PsOptions> change) {
    PsOptions options = PsOptions.of(role, topology, "127.0.0.1", port).withRank(rank);
    PsNode node = new PsNode(change.apply(Cluster.local(options).withStartTimeout(PATIENCE)));
    Acceptance.serve(node, role, 1);
    nodes.add(node);
    return node;
  }

  private void start(PsNode... some) throws Exception {
    List<Cluster.Task> starts = new ArrayList<>();
    for (PsNode node : some) {
      starts.add(node::start);
    }
    Cluster.inThreads(starts);
  }

  private static void expect(ChildJvm child, String line) throws IOException {
    String next = child.line();
    while (next != null && !next.equals(line)) {
      next = child.line();
    }
    assertEquals(line, next);
  }

  @ParameterizedTest
  @CsvSource({"2, 2", "1, 1", "1, 2", "1, 4", "2, 1", "2, 4", "4, 1", "4, 2", "4, 4"})
  void example_inProcesses_hasNoError(int servers, int workers) throws Exception {
    assumeTrue(FULL || (servers == 2 && workers == 2), "with -Pfull");
    Topology topology = new Topology(servers, workers);
    for (NodeId id : topology.nodes(Topology.SERVERS + Topology.WORKERS)) {
      child(id.role(), topology, -1, "example", null);
    }
    PsNode scheduler = node(Role.SCHEDULER, topology, 0);
    start(scheduler);
    assertTrue(scheduler.finish(PATIENCE));
    for (ChildJvm child : children) {
      expect(child, "end true");
      assertEquals(0, child.exitCode());
    }
  }

  @Test
  void ps08_killedWorker_isNamedByBarriers_andOthersGoOn_andItIsReplaced() throws Exception {
    Topology topology = new Topology(1, 2);
    final ChildJvm victim = child(Role.WORKER, topology, 1, "push", null);
    PsNode scheduler = node(Role.SCHEDULER, topology, 0);
    PsNode server = node(Role.SERVER, topology, 0);
    PsNode worker = node(Role.WORKER, topology, 0);
    start(scheduler, server, worker);
    expect(victim, "pushing");
    KvWorker<float[]> kv = KvWorker.open(worker, Acceptance.APP, ValueType.FLOATS);
    float[] out = new float[3];
    kv.waitFor(kv.pushPull(KEYS, new float[] {1, 2, 3}, out));
    victim.close(); // SIGKILL
    BarrierTimeoutException late =
        assertThrows(
            BarrierTimeoutException.class,
            () -> worker.barrier(Topology.WORKERS, Duration.ofSeconds(2)));
    assertEquals(List.of(NodeId.worker(1)), late.missing());
    assertTrue(late.getMessage().contains("worker 1 ("), late.getMessage());
    assertEquals(List.of(NodeId.worker(1)), scheduler.deadNodes());
    kv.waitFor(kv.pushPull(KEYS, new float[] {1, 2, 3}, out));
    assertEquals(6, out[2]);

    ChildJvm second = child(Role.WORKER, topology, -1, "wait", null);
    expect(second, "up worker 1");
    Cluster.inThreads(
        List.of(
            () -> assertTrue(scheduler.finish(PATIENCE)),
            () -> assertTrue(worker.finish(PATIENCE)),
            () -> assertTrue(server.finish(PATIENCE))));
    expect(second, "end true");
  }

  /** Waits for calls; returns how many failed because their server was lost. */
  private static int lost(List<CompletableFuture<Void>> pending) throws Exception {
    int failed = 0;
    for (CompletableFuture<Void> each : pending) {
      try {
        each.get(40, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        assertInstanceOf(NodeLostException.class, e.getCause());
        failed++;
      }
    }
    return failed;
  }

  @Tag("full")
  @Test
  void ps09_killedServer_failsItsCalls_andAReplacementWithoutSnapshotSaysSo() throws Exception {
    Topology topology = new Topology(2, 1);
    final ChildJvm victim = child(Role.SERVER, topology, 1, "wait", null);
    PsNode worker = node(Role.WORKER, topology, 0);
    start(node(Role.SCHEDULER, topology, 0), node(Role.SERVER, topology, 0), worker);
    expect(victim, "up server 1");
    String pid = victim.line().substring("pid ".length());
    KvWorker<float[]> kv = KvWorker.open(worker, Acceptance.APP, ValueType.FLOATS);
    long[] keys = {1, -1};
    float[] out = new float[2];
    kv.waitFor(kv.pushPull(keys, new float[] {1, 2}, out));

    signal("STOP", pid); // so that the call is pending when the server is killed
    CompletableFuture<Void> pending =
        kv.pushAsync(new long[] {-1}, new float[] {1}, KvCall.DEFAULTS);
    victim.close(); // SIGKILL
    assertEquals(1, lost(List.of(pending)));
    long down = kv.push(keys, new float[2]);
    assertThrows(NodeLostException.class, () -> kv.waitFor(down));
    kv.waitFor(kv.push(new long[] {1}, new float[] {0})); // server 0 goes on

    ChildJvm second = child(Role.SERVER, topology, -1, "wait", null);
    expect(second, "up server 1");
    assertTrue(worker.awaitUp(NodeId.server(1), PATIENCE));
    long lost = kv.pull(keys, out);
    StateLostException stateLost = assertThrows(StateLostException.class, () -> kv.waitFor(lost));
    assertEquals(NodeId.server(1), stateLost.server());
    kv.acceptState(1);
    kv.waitFor(kv.pull(keys, out));
    assertEquals(1, out[0]);
    assertEquals(0, out[1]);
  }

  @Test
  void ps09_replacementWithSnapshot_servesItsValues_andRepeatedPushesAreAppliedOnce()
      throws Exception {
    Topology topology = new Topology(1, 1);
    final ChildJvm victim = child(Role.SERVER, topology, 0, "wait", folder);
    PsNode worker = node(Role.WORKER, topology, 0);
    start(node(Role.SCHEDULER, topology, 0), worker);
    KvWorker<float[]> kv = KvWorker.open(worker, Acceptance.APP, ValueType.FLOATS);
    KvFilters cached = KvFilters.NONE.withKeyCache();
    KvWorker<float[]> byDigest =
        KvWorker.open(worker, Acceptance.APP, 1, ValueType.FLOATS, Slicer.RANGE, cached);
    long[] many = Acceptance.keys(100, 7);
    float[] values = new float[100];
    byDigest.push(many, new float[100]);
    byDigest.waitFor(byDigest.push(many, new float[100]));
    SimpleApp app = SimpleApp.open(worker, 1, (sender, head, body) -> "");
    float[] ones = {1, 1, 1};
    kv.waitFor(kv.push(KEYS, ones));
    app.waitFor(app.request(1, "", NodeId.server(0).number(), PATIENCE));
    expect(victim, "snapshot");
    kv.waitFor(kv.push(KEYS, ones)); // is not in the snapshot
    victim.close(); // SIGKILL
    long failed = kv.push(KEYS, ones);
    assertThrows(NodeLostException.class, () -> kv.waitFor(failed));
    expect(child(Role.SERVER, topology, -1, "wait", folder), "up server 0");
    assertTrue(worker.awaitUp(NodeId.server(0), PATIENCE));
    float[] out = new float[3];
    kv.waitFor(kv.pull(KEYS, out));
    assertEquals(1, out[0]);
    kv.waitFor(kv.push(KEYS, ones, KvCall.DEFAULTS.repeating(failed)));
    kv.waitFor(kv.push(KEYS, ones, KvCall.DEFAULTS.repeating(failed)));
    kv.waitFor(kv.pull(KEYS, out));
    assertEquals(2, out[2]);
    do { // the replacement does not have the keys, and accepts filters anew
      byDigest.waitFor(byDigest.pushPull(many, new float[100], values));
    } while (!byDigest.filters(0).equals(cached));
    byDigest.waitFor(byDigest.pull(many, values));
    assertArrayEquals(new float[100], values);
  }

  @Test
  void ps09_killedServerWithReplica_losesNoAcknowledgedPush() throws Exception {
    Topology topology = new Topology(2, 1);
    final ChildJvm victim = child(Role.SERVER, topology, 1, "replicate", null);
    PsNode worker = node(Role.WORKER, topology, 0);
    start(node(Role.SCHEDULER, topology, 0), node(Role.SERVER, topology, 0, 1), worker);
    expect(victim, "up server 1");
    KvWorker<float[]> kv = KvWorker.open(worker, Acceptance.APP, ValueType.FLOATS);
    long[] keys = Acceptance.keys(20_000, 0);
    float[] ones = new float[keys.length];
    Arrays.fill(ones, 1);
    List<Long> calls = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      calls.add(kv.push(keys, ones));
    }
    kv.waitFor(calls.get(9));
    victim.close(); // SIGKILL, while pushes are under way
    for (int i = 0; i < 20; i++) {
      calls.add(kv.push(keys, ones));
    }
    int failed = 0;
    ChildJvm second = null;
    for (long call : calls) {
      try {
        kv.waitFor(call);
      } catch (NodeLostException e) {
        if (failed++ == 0) {
          second = child(Role.SERVER, topology, -1, "replicate", null);
          expect(second, "up server 1");
          assertTrue(worker.awaitUp(NodeId.server(1), PATIENCE));
        }
        kv.waitFor(kv.push(keys, ones, KvCall.DEFAULTS.repeating(call)));
      }
    }
    assertTrue(failed > 0, "no call was pending");
    float[] out = new float[keys.length];
    kv.waitFor(kv.pull(keys, out));
    Arrays.fill(ones, calls.size());
    assertArrayEquals(ones, out);
  }

  @Test
  void stoppedServer_isReportedAndReplaced_andEndsWhenItGoesOn() throws Exception {
    Topology topology = new Topology(2, 1);
    final ChildJvm victim = child(Role.SERVER, topology, 1, "wait", null);
    PsNode worker = node(Role.WORKER, topology, 0);
    start(node(Role.SCHEDULER, topology, 0), node(Role.SERVER, topology, 0), worker);
    expect(victim, "up server 1");
    String pid = victim.line().substring("pid ".length());
    KvWorker<float[]> kv = KvWorker.open(worker, Acceptance.APP, ValueType.FLOATS);
    long[] keys = {1, -1};
    kv.waitFor(kv.push(keys, new float[2]));
    signal("STOP", pid);
    try {
      long pending = kv.push(keys, new float[2]);
      final ChildJvm second = child(Role.SERVER, topology, 1, "wait", null);
      assertThrows(NodeLostException.class, () -> kv.waitFor(pending)); // long before its timeout
      expect(second, "up server 1"); // it is connected, so it is known at once
      assertTrue(worker.awaitUp(NodeId.server(1), PATIENCE));
      kv.acceptState(1);
      kv.waitFor(kv.push(keys, new float[2]));
    } finally {
      signal("CONT", pid);
    }
    expect(victim, null); // it has closed
    kv.waitFor(kv.push(keys, new float[2]));
  }

  @Test
  void replacementOfAStoppedServer_doesNotStart_whileOthersHearTheOldOne() throws Exception {
    Topology topology = new Topology(1, 1);
    final ChildJvm victim = child(Role.SERVER, topology, 0, "silent", null);
    UnaryOperator<PsOptions> silent =
        options -> options.withHeartbeat(Duration.ZERO, Duration.ZERO); // so none is lost by it
    start(node(Role.SCHEDULER, topology, 0, silent), node(Role.WORKER, topology, 0, silent));
    expect(victim, "up server 0");
    signal("STOP", victim.line().substring("pid ".length()));
    PsNode second =
        node(
            Role.SERVER,
            topology,
            0,
            options ->
                silent
                    .apply(options.withStartTimeout(Duration.ofSeconds(6)))
                    .withMessenger(
                        options.messenger().toBuilder()
                            .peerTimeout(Duration.ofSeconds(1))
                            .build()));
    assertThrows(NodeCountException.class, second::start); // not: connected to nobody
  }

  private static void signal(String name, String pid) throws Exception {
    assertEquals(0, new ProcessBuilder("kill", "-" + name, pid).start().waitFor());
  }

  @Test
  void ps10_killedScheduler_leavesTheDataPlane() throws Exception {
    Topology topology = new Topology(1, 1);
    final ChildJvm victim = child(Role.SCHEDULER, topology, 0, "wait", null);
    PsNode worker = node(Role.WORKER, topology, 0);
    start(node(Role.SERVER, topology, 0), worker);
    expect(victim, "up scheduler");
    KvWorker<float[]> kv = KvWorker.open(worker, Acceptance.APP, ValueType.FLOATS);
    float[] out = new float[3];
    kv.waitFor(kv.push(KEYS, new float[] {1, 1, 1}));
    victim.close(); // SIGKILL
    while (worker.isUp(NodeId.SCHEDULER)) {
      kv.waitFor(kv.pushPull(KEYS, new float[] {1, 1, 1}, out));
    }
    assertThrows(NodeLostException.class, () -> worker.barrier(Topology.WORKERS, PATIENCE));
    kv.waitFor(kv.pull(KEYS, out));
    float last = out[0];
    kv.waitFor(kv.pushPull(KEYS, new float[] {1, 1, 1}, out));
    assertEquals(last + 1, out[0]);
  }
}
