package io.jgloo.ps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.ps.kv.ServerErrorException;
import io.jgloo.ps.membership.Join;
import io.jgloo.ps.node.BarrierTimeoutException;
import io.jgloo.ps.node.NodeCountException;
import io.jgloo.ps.node.NodeId;
import io.jgloo.ps.node.Role;
import io.jgloo.ps.node.Topology;
import io.jgloo.rendezvous.LogRecords;
import io.jgloo.rendezvous.store.HashStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Numbers of nodes, ranks, start, barriers, simple requests and the end. */
@Timeout(240)
final class NodeTest {

  private static final Duration SOON = Duration.ofMillis(300);

  @Test
  void ps03_numbersOfNodes_followTheFormula() {
    assertEquals(1, NodeId.SCHEDULER.number());
    for (int rank = 0; rank < 100; rank++) {
      assertEquals(2 * rank + 8, NodeId.server(rank).number());
      assertEquals(2 * rank + 9, NodeId.worker(rank).number());
      assertEquals(NodeId.server(rank), NodeId.of(2 * rank + 8));
      assertEquals(NodeId.worker(rank), NodeId.of(2 * rank + 9));
    }
    assertThrows(IllegalArgumentException.class, () -> NodeId.of(7));
    Topology topology = new Topology(100, 50);
    for (int agent = 0; agent < topology.size(); agent++) {
      assertEquals(agent, topology.agent(topology.node(agent)));
    }
    assertEquals(151, topology.nodes(Topology.ALL).size());
    assertEquals(101, topology.nodes(Topology.SCHEDULER + Topology.SERVERS).size());
    assertEquals(List.of(NodeId.worker(2)), topology.nodes(13));
    assertThrows(IllegalArgumentException.class, () -> topology.nodes(8 + 200));
  }

  @Test
  void environmentOfPsLite_isRead() {
    Map<String, String> variables = new HashMap<>();
    variables.put("DMLC_ROLE", "worker");
    variables.put("DMLC_NUM_SERVER", "2");
    variables.put("DMLC_NUM_WORKER", "3");
    variables.put("DMLC_PS_ROOT_URI", "10.0.0.1");
    variables.put("DMLC_PS_ROOT_PORT", "8000");
    variables.put("DMLC_NODE_HOST", "10.0.0.2");
    variables.put("PS_HEARTBEAT_TIMEOUT", "7");
    variables.put("PS_DROP_MSG", "10");
    PsOptions options;
    try (LogRecords log = new LogRecords(PsOptions.class)) {
      options = PsOptions.fromEnvironment(variables);
      assertEquals(
          List.of("environment variable PS_DROP_MSG is ignored: no message is dropped on purpose"),
          log.warnings());
    }
    assertEquals(Role.WORKER, options.role());
    assertEquals(new Topology(2, 3), options.topology());
    assertEquals(8000, options.port());
    assertEquals(Duration.ofSeconds(7), options.silence());
    assertEquals(Duration.ofSeconds(1), options.heartbeat());
    assertEquals("10.0.0.2", options.messenger().deviceOptions().get("advertise", ""));
    assertEquals("10.0.0.1", options.messenger().deviceOptions().get("reach", ""));
    variables.put("DMLC_NODE_HOST", "127.0.0.1"); // an address of this machine
    PsOptions local = PsOptions.fromEnvironment(variables);
    assertEquals("127.0.0.1", local.messenger().deviceOptions().get("bind", ""));
    variables.put("DMLC_NUM_SERVER", "two");
    IllegalArgumentException malformed =
        assertThrows(IllegalArgumentException.class, () -> PsOptions.fromEnvironment(variables));
    assertTrue(malformed.getMessage().contains("DMLC_NUM_SERVER"), malformed.getMessage());
    variables.remove("DMLC_ROLE");
    assertThrows(IllegalArgumentException.class, () -> PsOptions.fromEnvironment(variables));
  }

  @Test
  void ranksThatAreNotAskedFor_areAllDifferent_andExitActionsRun() throws Exception {
    AtomicInteger exits = new AtomicInteger();
    try (Cluster cluster =
        Cluster.start(
            2, 3, options -> options.withRank(-1), node -> node.atExit(exits::incrementAndGet))) {
      List<Integer> numbers =
          new ArrayList<>(cluster.nodes().stream().map(node -> node.id().number()).toList());
      Collections.sort(numbers);
      assertEquals(List.of(1, 8, 9, 10, 11, 13), numbers);
      assertEquals(List.of(), cluster.scheduler().deadNodes());
      cluster.finish();
      assertEquals(6, exits.get());
    }
  }

  @Test
  void ps04_barrierOfEachGroup_waitsForItsNodes() throws Exception {
    try (Cluster cluster = Cluster.start(2, 2, node -> {})) {
      for (int group = 1; group <= Topology.ALL; group++) {
        int number = group;
        AtomicInteger here = new AtomicInteger();
        List<Cluster.Task> tasks = new ArrayList<>();
        for (PsNode node : cluster.nodes()) {
          if ((group & Topology.group(node.role())) == 0) {
            assertThrows(
                IllegalArgumentException.class, () -> node.barrier(number, Cluster.PATIENCE));
          } else {
            tasks.add(
                () -> {
                  here.incrementAndGet();
                  node.barrier(number, Cluster.PATIENCE);
                  assertEquals(cluster.scheduler().topology().nodes(number).size(), here.get());
                });
          }
        }
        Cluster.inThreads(tasks);
      }
    }
  }

  @Test
  void ps04_missingNodes_areNamed_andTwoCallsOfANodeDoNotPass() throws Exception {
    try (Cluster cluster = Cluster.start(1, 3, node -> {})) {
      CompletableFuture<Void> waits =
          Cluster.later(() -> cluster.worker(0).barrier(Topology.WORKERS, Cluster.PATIENCE));
      BarrierTimeoutException late = null;
      while (late == null) { // until the other thread has entered
        try {
          cluster.worker(1).barrier(Topology.WORKERS, SOON);
        } catch (BarrierTimeoutException e) {
          late = e.missing().contains(NodeId.worker(0)) ? null : e;
        }
      }
      assertEquals(List.of(NodeId.worker(2)), late.missing());
      assertTrue(late.getMessage().contains("worker 2"), late.getMessage());
      IllegalStateException twice =
          assertThrows(
              IllegalStateException.class,
              () -> cluster.worker(0).barrier(Topology.WORKERS, Cluster.PATIENCE));
      assertTrue(twice.getMessage().contains("worker 0 waits"), twice.getMessage());
      CompletableFuture<Void> first =
          Cluster.later(() -> cluster.worker(1).barrier(Topology.WORKERS, Cluster.PATIENCE));
      cluster.worker(2).barrier(Topology.WORKERS, Cluster.PATIENCE);
      first.get(20, TimeUnit.SECONDS);
      waits.get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void ps02_simpleRequests_reachEachNodeOfTheGroup() throws Exception {
    Map<PsNode, AtomicInteger> handled = Collections.synchronizedMap(new HashMap<>());
    Map<PsNode, SimpleApp> apps = Collections.synchronizedMap(new HashMap<>());
    try (Cluster cluster =
        Cluster.start(
            2,
            2,
            node -> {
              handled.put(node, new AtomicInteger());
              SimpleApp app =
                  SimpleApp.open(
                      node,
                      5,
                      (sender, head, body) -> {
                        handled.get(node).incrementAndGet();
                        if (head == 9) {
                          throw new IllegalStateException("no");
                        }
                        if (head == 10) {
                          throw new AssertionError("never");
                        }
                        return node.id() + ":" + head + body;
                      });
              apps.put(node, app);
            })) {
      SimpleApp app = apps.get(cluster.scheduler());
      for (int group = 1; group <= Topology.ALL; group++) {
        int number = group;
        int before = handled.values().stream().mapToInt(AtomicInteger::get).sum();
        List<Long> sent = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
          sent.add(app.request(1, "test", group, Cluster.PATIENCE));
        }
        List<NodeId> nodes = cluster.scheduler().topology().nodes(number);
        for (long timestamp : sent) {
          assertEquals(
              nodes.stream().map(node -> node + ":1test").toList(), app.waitFor(timestamp));
        }
        int after = handled.values().stream().mapToInt(AtomicInteger::get).sum();
        assertEquals(100 * nodes.size(), after - before);
      }
      long one = app.request(2, "", NodeId.worker(1).number(), Cluster.PATIENCE);
      assertEquals(List.of("worker 1:2"), app.waitFor(one));
      for (int head : new int[] {9, 10}) {
        long fails = app.request(head, "", NodeId.server(0).number(), Cluster.PATIENCE);
        assertThrows(ServerErrorException.class, () -> app.waitFor(fails));
      }
    }
  }

  @Test
  void ps11_moreOrFewerNodesThanDeclared_areErrors() throws Exception {
    try (Cluster cluster = Cluster.start(1, 1, node -> {})) {
      PsNode more =
          new PsNode(cluster.options(Role.WORKER).withStartTimeout(Duration.ofSeconds(1)));
      NodeCountException tooMany = assertThrows(NodeCountException.class, more::start);
      assertTrue(tooMany.getMessage().contains("no place"), tooMany.getMessage());
      PsOptions different = PsOptions.of(Role.WORKER, new Topology(1, 2), cluster.store());
      NodeCountException differs =
          assertThrows(NodeCountException.class, () -> new PsNode(different).start());
      assertTrue(differs.getMessage().contains("1 servers and 2 workers"), differs.getMessage());
      assertFalse(cluster.worker(0).isReplacement());
    }
    NodeCountException tooFew =
        assertThrows(
            NodeCountException.class,
            () -> {
              try (HashStore store = new HashStore()) {
                PsOptions alone = PsOptions.of(Role.SCHEDULER, new Topology(1, 1), store);
                new PsNode(Cluster.local(alone).withStartTimeout(SOON)).start();
              }
            });
    assertTrue(tooFew.getMessage().contains("only 0 and 0"), tooFew.getMessage());
  }

  @Test
  void nodeThatEndsBeforeTheStart_isReplacedByALaterOne() throws Exception {
    Topology topology = new Topology(2, 1);
    try (HashStore store = new HashStore()) {
      Join ended = new Join(store, "ps", topology, Duration.ofSeconds(60), Optional.empty());
      CompletableFuture<Void> unused = Cluster.later(() -> ended.place(Role.SERVER, -1));
      while (!store.check(List.of("jgloo-ps/ps/node/SERVER/1"))) {
        LockSupport.parkNanos(1_000_000);
      }
      List<PsNode> nodes = new ArrayList<>();
      List<Cluster.Task> starts = new ArrayList<>();
      try {
        for (Role role : List.of(Role.SCHEDULER, Role.SERVER, Role.SERVER, Role.WORKER)) {
          PsOptions options = Cluster.local(PsOptions.of(role, topology, store));
          PsNode node = new PsNode(options.withStartTimeout(Duration.ofSeconds(20)));
          nodes.add(node);
          starts.add(node::start);
        }
        Cluster.inThreads(starts);
        assertEquals(List.of(), nodes.get(0).deadNodes());
        assertFalse(nodes.get(1).isReplacement() || nodes.get(2).isReplacement());
      } finally {
        nodes.forEach(PsNode::close);
      }
    }
  }

  @Test
  void nodeThatDoesNotCome_isNamed() {
    Topology topology = new Topology(2, 1);
    try (HashStore store = new HashStore()) {
      for (Role role : List.of(Role.SERVER, Role.SERVER, Role.WORKER)) {
        Join ended = new Join(store, "ps", topology, Duration.ofSeconds(60), Optional.empty());
        CompletableFuture<Void> unused = Cluster.later(() -> ended.place(role, -1));
      }
      PsNode alone =
          new PsNode(
              Cluster.local(PsOptions.of(Role.SCHEDULER, topology, store))
                  .withStartTimeout(Duration.ofSeconds(2)));
      NodeCountException failure = assertThrows(NodeCountException.class, alone::start);
      assertTrue(
          failure.getMessage().contains("[server 0, server 1, worker 0]"), failure.getMessage());
    }
  }
}
