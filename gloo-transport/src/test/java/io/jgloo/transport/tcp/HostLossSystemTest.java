package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two processes whose network drops packets, or is cut: then no packet arrives, and no connection
 * is closed, as when a host loses its power.
 */
@Timeout(100)
class HostLossSystemTest {

  @TempDir private Path folder;

  private final List<PairwiseProcess> children = new ArrayList<>();

  @AfterEach
  void endProcesses() {
    children.forEach(PairwiseProcess::close);
  }

  private static boolean succeeds(List<String> command) throws Exception {
    try {
      return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
    } catch (IOException e) {
      return false; // there is no such program
    }
  }

  private static List<String> join(List<String> first, String... more) {
    List<String> all = new ArrayList<>(first);
    all.addAll(List.of(more));
    return all;
  }

  private List<String> inside() {
    return List.of("nsenter", "--net=/proc/" + children.get(0).pid() + "/ns/net");
  }

  private void start(List<String> around, String... attributes) throws IOException {
    children.add(
        PairwiseProcess.start(
            folder,
            children.size(),
            2,
            around,
            List.of(),
            join(List.of("memory=off"), attributes)));
  }

  private static List<String> unshared(String network) throws Exception {
    List<String> unshared =
        List.of("unshare", "--net", "sh", "-c", network + " && exec \"$@\"", "sh");
    assumeTrue(
        succeeds(join(unshared, "nsenter", "--version")),
        "not permitted or not installed: " + unshared);
    return unshared;
  }

  /** Connects two ranks in networks of their own, between which a cable is. */
  private void connectByCable(String... attributes) throws Exception {
    String cable = "ip link add left type veth peer name right";
    String up = "ip address add 10.0.0.%d/24 dev %s && ip link set %s up";
    List<String> unshared = unshared(cable + " && " + up.formatted(1, "left", "left"));
    start(unshared, join(List.of("bind=10.0.0.1"), attributes).toArray(String[]::new));
    String take = String.join(" ", inside()) + " ip link set right netns $$";
    String both = take + " && " + up.formatted(2, "right", "right");
    List<String> other = List.of("unshare", "--net", "sh", "-c", both + " && exec \"$@\"", "sh");
    start(other, join(List.of("bind=10.0.0.2"), attributes).toArray(String[]::new));
    PairwiseProcess.connect(children);
  }

  /**
   * Whether a rank's host has sent bytes that are not acknowledged. The kernel sends those again
   * for a quarter of an hour, and probes idle connections only.
   */
  private boolean unacknowledged(int rank) throws IOException {
    Path sockets = Path.of("/proc/" + children.get(rank).pid() + "/net/tcp");
    try (Stream<String> lines = Files.lines(sockets).skip(1)) {
      // sl local_address rem_address st tx_queue:rx_queue
      return lines.anyMatch(line -> !line.strip().split("\\s+", -1)[4].startsWith("00000000:"));
    }
  }

  /** What both ranks, which wait for each other, report after their cable was pulled. */
  private List<String> failuresWithoutNetwork(String... attributes) throws Exception {
    connectByCable(attributes);
    PairwiseProcess.exchange(children);
    for (int rank = 0; rank < 2; rank++) {
      children.get(rank).tell("failure " + (1 - rank));
    }
    while (unacknowledged(0) || unacknowledged(1)) {
      Thread.sleep(10);
    }
    String other = "--net=/proc/" + children.get(1).pid() + "/ns/net";
    assertTrue(succeeds(List.of("nsenter", other, "ip", "link", "set", "right", "down")));
    return List.of(children.get(0).hear(), children.get(1).hear());
  }

  /** The requests would wait for 40 s. */
  @Test
  void heartbeats_nameTheHostThatIsGone() throws Exception {
    List<String> failures = failuresWithoutNetwork("heartbeat=300", "misses=4");
    for (int rank = 0; rank < 2; rank++) {
      String failure = failures.get(rank);
      assertTrue(failure.contains("PeerLostException: peer " + (1 - rank)), failure);
      assertTrue(failure.contains("sent nothing for 4 heartbeat periods of 300 ms"), failure);
    }
  }

  @Tag("full")
  @Test
  void withoutHeartbeats_theKernelFindsIt() throws Exception {
    for (String failure : failuresWithoutNetwork("keepalive=1")) {
      assertTrue(failure.contains("broke the connection: "), failure);
    }
  }
}
