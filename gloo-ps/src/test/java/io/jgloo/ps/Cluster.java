package io.jgloo.ps;

import io.jgloo.ps.node.NodeId;
import io.jgloo.ps.node.Role;
import io.jgloo.ps.node.Topology;
import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.transport.DeviceOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** The nodes of one system in this JVM, in threads, with real sockets. */
final class Cluster implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofSeconds(80);

  /** What a thread does. */
  @FunctionalInterface
  interface Task {
    void run() throws Exception;
  }

  private final Topology topology;
  private final HashStore store = new HashStore();
  private final List<PsNode> nodes = new ArrayList<>();

  private final UnaryOperator<PsOptions> change;

  private Cluster(Topology topology, UnaryOperator<PsOptions> change) {
    this.topology = topology;
    this.change = change;
  }

  /**
   * Starts a scheduler, servers and workers.
   *
   * @param setUp is given each node before it starts
   */
  static Cluster start(int servers, int workers, Consumer<PsNode> setUp) throws Exception {
    return start(servers, workers, options -> options, setUp);
  }

  static Cluster start(
      int servers, int workers, UnaryOperator<PsOptions> change, Consumer<PsNode> setUp)
      throws Exception {
    Cluster cluster = new Cluster(new Topology(servers, workers), change);
    try {
      List<Task> starts = new ArrayList<>();
      for (NodeId id : cluster.topology.nodes(Topology.ALL)) {
        PsNode node = new PsNode(change.apply(cluster.options(id.role()).withRank(id.rank())));
        cluster.nodes.add(node);
        setUp.accept(node);
        starts.add(node::start);
      }
      inThreads(starts);
      return cluster;
    } catch (Exception | Error e) {
      cluster.close();
      throw e;
    }
  }

  PsOptions options(Role role) {
    PsOptions options = PsOptions.of(role, topology, store);
    return local(options).withStartTimeout(PATIENCE);
  }

  /** Options for nodes of one machine. */
  static PsOptions local(PsOptions options) {
    return options.withMessenger(
        options.messenger().toBuilder()
            .device("tcp", DeviceOptions.DEFAULTS.with("bind", "127.0.0.1"))
            .build());
  }

  /** Ends a server and starts another node in its place. */
  PsNode replace(int rank, Consumer<PsNode> setUp) {
    PsNode old = server(rank);
    old.close();
    PsNode node = new PsNode(change.apply(options(Role.SERVER).withRank(rank)));
    nodes.set(1 + rank, node);
    setUp.accept(node);
    node.start();
    return node;
  }

  HashStore store() {
    return store;
  }

  PsNode scheduler() {
    return nodes.get(0);
  }

  PsNode server(int rank) {
    return nodes.get(1 + rank);
  }

  PsNode worker(int rank) {
    return nodes.get(1 + topology.servers() + rank);
  }

  List<PsNode> nodes() {
    return nodes;
  }

  /** Runs a task for each worker at the same time. */
  void atWorkers(Consumer<PsNode> task) throws Exception {
    atWorkers(PATIENCE.toMillis(), task);
  }

  void atWorkers(long patienceMillis, Consumer<PsNode> task) throws Exception {
    List<Task> tasks = new ArrayList<>();
    for (int rank = 0; rank < topology.workers(); rank++) {
      PsNode worker = worker(rank);
      tasks.add(() -> task.accept(worker));
    }
    inThreads(tasks, patienceMillis);
  }

  /** Runs tasks in threads of their own and waits for all. */
  static void inThreads(List<Task> tasks) throws Exception {
    inThreads(tasks, PATIENCE.toMillis());
  }

  static void inThreads(List<Task> tasks, long patienceMillis) throws Exception {
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    for (Task task : tasks) {
      ends.add(later(task));
    }
    CompletableFuture<Void> failure = new CompletableFuture<>();
    for (CompletableFuture<Void> end : ends) {
      CompletableFuture<Void> unused =
          end.whenComplete(
              (done, cause) -> {
                if (cause != null) {
                  failure.completeExceptionally(cause);
                }
              });
    }
    CompletableFuture<Void> all = CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new));
    Object unused =
        CompletableFuture.anyOf(all, failure).get(patienceMillis, TimeUnit.MILLISECONDS);
  }

  static CompletableFuture<Void> later(Task task) {
    CompletableFuture<Void> end = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
                end.complete(null);
              } catch (Throwable e) {
                end.completeExceptionally(e);
              }
            },
            "test-task");
    thread.setDaemon(true);
    thread.start();
    return end;
  }

  /** Lets all nodes leave together. */
  void finish() throws Exception {
    List<Task> ends = new ArrayList<>();
    for (PsNode node : nodes) {
      ends.add(
          () -> {
            if (!node.finish(PATIENCE)) {
              throw new AssertionError(node.id() + " did not hear of all others");
            }
          });
    }
    inThreads(ends);
  }

  @Override
  public void close() {
    nodes.forEach(PsNode::close);
    store.close();
  }
}
