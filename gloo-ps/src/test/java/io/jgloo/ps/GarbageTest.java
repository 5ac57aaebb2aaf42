package io.jgloo.ps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.node.NodeId;
import io.jgloo.ps.node.Topology;
import io.jgloo.transport.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Bytes of programs that are no nodes, at all ports where nodes listen. */
@EnabledOnOs(OS.LINUX) // which lists the ports of a process
@Timeout(100)
final class GarbageTest {

  /** Ports at which this process listens. */
  private static Set<Integer> listeners() throws IOException {
    Set<String> own = new HashSet<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path file : files) {
        try {
          own.add(Files.readSymbolicLink(file).toString());
        } catch (NoSuchFileException e) {
          own.remove(""); // closed meanwhile
        }
      }
    }
    Set<Integer> ports = new TreeSet<>();
    for (String table : List.of("/proc/self/net/tcp", "/proc/self/net/tcp6")) {
      for (String line : Files.readAllLines(Path.of(table))) {
        String[] words = line.trim().split("\\s+", -1);
        if (words[3].equals("0A") && own.contains("socket:[" + words[9] + "]")) {
          ports.add(Integer.parseInt(words[1].substring(words[1].indexOf(':') + 1), 16));
        }
      }
    }
    return ports;
  }

  private static void send(int port, byte[] bytes) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 10_000);
      try {
        socket.getOutputStream().write(bytes);
      } catch (IOException e) {
        assertTrue(bytes.length > 0, "closed by the node: " + e);
      }
    }
  }

  @Test
  void ps12_garbageAtEachListener_disturbsNothing() throws Exception {
    Set<Integer> before = listeners();
    int port = FreePort.choose();
    Topology topology = new Topology(2, 2);
    List<PsNode> nodes = new ArrayList<>();
    try {
      List<Cluster.Task> starts = new ArrayList<>();
      for (NodeId id : topology.nodes(Topology.ALL)) {
        PsOptions options = PsOptions.of(id.role(), topology, "127.0.0.1", port);
        PsNode node =
            new PsNode(
                Cluster.local(options.withRank(id.rank())).withStartTimeout(Cluster.PATIENCE));
        nodes.add(node);
        Acceptance.serve(node, id.role(), 1);
        starts.add(node::start);
      }
      Cluster.inThreads(starts);
      Set<Integer> ports = listeners();
      ports.removeAll(before);
      assertTrue(ports.contains(port), "the store of the scheduler listens");
      assertEquals(1 + topology.size(), ports.size(), "listeners " + ports);
      AtomicBoolean ended = new AtomicBoolean();
      CompletableFuture<Void> garbage = Cluster.later(() -> send(ports, ended));
      List<Cluster.Task> runs = new ArrayList<>();
      for (PsNode node : nodes.subList(1 + topology.servers(), nodes.size())) {
        runs.add(
            () -> {
              KvWorker<float[]> worker = KvWorker.open(node, Acceptance.APP, ValueType.FLOATS);
              Acceptance.run(worker, 2000, node.id().rank());
              node.barrier(Topology.WORKERS, Cluster.PATIENCE);
            });
      }
      Cluster.inThreads(runs);
      ended.set(true);
      garbage.get(60, TimeUnit.SECONDS);
      List<Cluster.Task> ends = new ArrayList<>();
      for (PsNode node : nodes) {
        assertEquals(List.of(), node.deadNodes());
        ends.add(() -> assertTrue(node.finish(Cluster.PATIENCE), node.id() + " ends"));
      }
      Cluster.inThreads(ends);
    } finally {
      nodes.forEach(PsNode::close);
    }
  }

  /** Sends to each port at least once, and until the example has ended. */
  private static void send(Set<Integer> ports, AtomicBoolean ended) throws IOException {
    SplittableRandom random = new SplittableRandom(12);
    do {
      for (int each : ports) {
        byte[] bytes = new byte[4096];
        random.nextBytes(bytes);
        send(each, bytes);
        send(each, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.UTF_8));
        send(each, new byte[0]);
        send(each, new byte[100_000]);
      }
    } while (!ended.get());
  }
}
