package io.jgloo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.ShortJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two hosts, each with a network and an {@code /etc/hosts} of its own, and a cable between them. It
 * needs root, unshare, nsenter, ip and nft.
 */
@Timeout(240)
class JoinNetworkTest {
  private static final int STORE_PORT = 29_500; // of a network of its own
  private static final int DEVICE_PORT = 41_000;

  /** A rank that prints what becomes of its join. */
  static final class Rank {
    private Rank() {}

    /** Arguments: URL, rank, milliseconds, port of the device or 0. */
    public static void main(String[] arguments) throws IOException {
      System.out.println("ready");
      System.in.read();
      DeviceOptions options = DeviceOptions.DEFAULTS.with("port", arguments[3]);
      try (ProcessGroup group =
          ProcessGroup.builder()
              .rank(Integer.parseInt(arguments[1]))
              .size(2)
              .store(arguments[0])
              .device("tcp", options)
              .connectTimeout(Duration.ofMillis(Long.parseLong(arguments[2])))
              .connect()) {
        long[] sum = {1};
        group.allreduce(sum, ReduceOp.SUM);
        group.barrier();
        System.out.println("joined");
      } catch (JGlooException e) {
        System.out.println(e.getMessage().replace('\n', ' '));
      }
    }
  }

  @TempDir private Path folder;

  private final List<Process> hosts = new ArrayList<>();
  private final List<Process> ranks = new ArrayList<>();

  @BeforeEach
  void makeHosts() throws Exception {
    List<String> needed = List.of("unshare", "--net", "--mount", "nft", "list", "ruleset");
    assumeTrue(succeeds(needed), "not permitted or not installed: " + needed);
    String up = "ip link set lo up; ip address add 10.0.0.%d/24 dev %s; ip link set %s up";
    startHost("ip link add left type veth peer name right; " + up.formatted(1, "left", "left"));
    String take =
        "nsenter --net=/proc/" + hosts.get(0).pid() + "/ns/net ip link set right netns $$";
    startHost(take + "; " + up.formatted(2, "right", "right"));
  }

  @AfterEach
  void endProcesses() {
    ranks.forEach(each -> each.destroyForcibly().onExit().join());
    hosts.forEach(each -> each.destroyForcibly().onExit().join());
  }

  private static boolean succeeds(List<String> command) throws Exception {
    try {
      return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
    } catch (IOException e) {
      return false; // there is no such program
    }
  }

  /** A process that holds a host's network and mounts; it has set them up when it says so. */
  private void startHost(String network) throws Exception {
    Path names = Files.writeString(folder.resolve("hosts" + hosts.size()), "");
    String script = "set -e; mount --bind " + names + " /etc/hosts; " + network;
    Process host =
        new ProcessBuilder(
                "unshare", "--net", "--mount", "sh", "-c", script + "; echo up; exec cat")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    hosts.add(host);
    assertEquals("up", host.inputReader(UTF_8).readLine());
  }

  private void name(int host, String... lines) throws IOException {
    String own = "127.0.0.1 localhost\n" + String.join("\n", lines) + "\n";
    Files.writeString(folder.resolve("hosts" + host), own);
  }

  private List<String> inside(int host, String... command) {
    String pid = Long.toString(hosts.get(host).pid());
    List<String> all = new ArrayList<>(List.of("nsenter", "--net", "--mount", "--target", pid));
    all.addAll(List.of(command));
    return all;
  }

  private void start(String url, int rank, int millis, int port) throws IOException {
    List<String> command = inside(rank, ShortJvm.command("-Xmx128m").toArray(String[]::new));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Rank.class.getName()));
    command.addAll(List.of(url, "" + rank, "" + millis, "" + port));
    ranks.add(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** What both ranks print. */
  private List<String> run() throws IOException {
    for (Process rank : ranks) {
      assertEquals("ready", rank.inputReader(UTF_8).readLine());
    }
    for (Process rank : ranks) {
      rank.outputWriter(UTF_8).append("go\n").flush();
    }
    List<String> lines = new ArrayList<>();
    for (Process rank : ranks) {
      lines.add(rank.inputReader(UTF_8).readLine());
    }
    return lines;
  }

  /** Debian gives a host's own name an address of the loopback. */
  @Test
  void hostNameThatIsLoopbackAtTheHostItself_ranksJoin() throws Exception {
    name(0, "127.0.1.1 hosta", "10.0.0.2 hostb");
    name(1, "10.0.0.1 hosta", "127.0.1.1 hostb");
    String url = "tcp://hosta:" + STORE_PORT;
    start(url, 0, 60_000, 0);
    start(url, 1, 60_000, 0);
    assertEquals(List.of("joined", "joined"), run());
  }

  /**
   * The rank that dials says what it saw; the other one says that it is the one that is dialled.
   */
  @ParameterizedTest
  @CsvSource({"20000, 100000", "25000, 20000"}) // which rank gives up first
  void firewallThatDropsPackets_bothRanksSayWhoDialledWhom(int millis, int otherMillis)
      throws Exception {
    name(0);
    name(1);
    String rule =
        "add table inet t; add chain inet t c { type filter hook input priority 0; };"
            + (" add rule inet t c tcp dport " + DEVICE_PORT + " drop");
    assertTrue(succeeds(inside(0, "nft", rule)));
    String url = "tcp://10.0.0.1:" + STORE_PORT;
    start(url, 0, millis, DEVICE_PORT);
    start(url, 1, otherMillis, 0);
    List<String> said = run();
    String at = "10.0.0.1:" + DEVICE_PORT;
    assertTrue(said.get(0).contains("ranks [1] joined, but were not connected"), said.get(0));
    assertTrue(said.get(0).contains("has not connected to this rank, which it dials at " + at));
    assertTrue(
        said.get(1).contains("rank 0 at " + at + " cannot be reached from 10.0.0.2: no answer")
            || said.get(1).contains("rank 0 at tcp " + at + " cannot be reached from 10.0.0.2: no"),
        said.get(1));
  }

  @Test
  void portWithoutAStore_theServingRankAndWhatWasSeenAreNamed() throws Exception {
    name(0);
    name(1);
    assertTrue(
        succeeds(
            inside(
                0,
                "nft",
                "add table inet t; add chain inet t c { type filter hook input priority 0; };"
                    + (" add rule inet t c tcp dport " + STORE_PORT + " drop"))));
    start("tcp://10.0.0.1:" + STORE_PORT, 1, 2_000, 0);
    String said = run().get(0);
    assertTrue(said.contains("no answer; the host may be down, or a firewall"), said);
    assertTrue(said.contains("rank 0 serves the store"), said);
  }
}
