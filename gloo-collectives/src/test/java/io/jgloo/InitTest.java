package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.ReduceOp;
import io.jgloo.rendezvous.RendezvousTimeoutException;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.TcpStore;
import io.jgloo.transport.AuthenticationException;
import io.jgloo.transport.Certificates;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.FreePort;
import io.jgloo.transport.TlsOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Groups made from URLs, environments, and addresses. */
@Timeout(120)
class InitTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int SIZE = 3;
  private static final Map<String, String> LOOPBACK = Map.of("GLOO_SOCKET_IFNAME", "lo");

  /** One rank's way to its group. */
  private interface Way {
    ProcessGroup group(int rank) throws Exception;
  }

  private static void all(Way way) {
    List<CompletableFuture<Long>> ranks = new ArrayList<>();
    for (int rank = 0; rank < SIZE; rank++) {
      int own = rank;
      ranks.add(
          Ranks.inThread(
              () -> {
                try (ProcessGroup group = way.group(own)) {
                  assertEquals(own, group.rank());
                  long[] x = {own + 1};
                  group.allreduce(x, ReduceOp.SUM);
                  group.barrier();
                  return x[0];
                }
              }));
    }
    ranks.forEach(rank -> assertEquals(6, Ranks.patiently(rank)));
  }

  @Test
  void byFileUrl(@TempDir Path directory) {
    for (int run = 0; run < 2; run++) {
      all(rank -> Init.byUrl("file://" + directory, rank, SIZE, PATIENCE, LOOPBACK));
    }
    all(
        rank ->
            Init.byUrl(
                "file://" + directory + "?rank=" + rank + "&world_size=" + SIZE,
                -1,
                -1,
                PATIENCE,
                LOOPBACK));
  }

  @Test
  void byTcpUrl() throws Exception {
    String url = "tcp://127.0.0.1:" + FreePort.choose();
    all(rank -> ProcessGroup.init(url, rank, SIZE, PATIENCE));
  }

  /** Also the store, which rank 0 serves; rank 1 of the second run has no secret. */
  @Test
  void secretOfTheEnvironment_isRequiredOfAllRanks() throws Exception {
    String secret = "a secret for this test only";
    Map<String, String> variables = Map.of("GLOO_SOCKET_IFNAME", "lo", "GLOO_SECRET", secret);
    String url = "tcp://127.0.0.1:" + FreePort.choose();
    all(rank -> Init.byUrl(url, rank, SIZE, PATIENCE, variables));
    String again = "tcp://127.0.0.1:" + FreePort.choose();
    Duration patience = Duration.ofSeconds(3);
    CompletableFuture<ProcessGroup> serving =
        Ranks.inThread(() -> Init.byUrl(again, 0, 2, patience, variables));
    assertThrows(AuthenticationException.class, () -> Init.byUrl(again, 1, 2, PATIENCE, LOOPBACK));
    ExecutionException missing = assertThrows(ExecutionException.class, serving::get);
    assertInstanceOf(AuthenticationException.class, missing.getCause());
  }

  private static Map<String, String> tls(int rank) {
    TlsOptions files = Certificates.of(rank);
    return Map.of(
        "GLOO_SOCKET_IFNAME",
        "lo",
        "GLOO_TLS_CERTIFICATE",
        files.certificate().toString(),
        "GLOO_TLS_KEY",
        files.key().toString(),
        "GLOO_TLS_CA",
        files.authority().toString());
  }

  /** Also the store, which rank 0 serves; rank 1 of the second run does not use TLS. */
  @Test
  void tlsOfTheEnvironment_isRequiredOfAllRanks() throws Exception {
    String url = "tcp://127.0.0.1:" + FreePort.choose();
    all(rank -> Init.byUrl(url, rank, SIZE, PATIENCE, tls(rank)));
    String again = "tcp://127.0.0.1:" + FreePort.choose();
    Duration patience = Duration.ofSeconds(3);
    CompletableFuture<ProcessGroup> serving =
        Ranks.inThread(() -> Init.byUrl(again, 0, 2, patience, tls(0)));
    AuthenticationException refused =
        assertThrows(
            AuthenticationException.class, () -> Init.byUrl(again, 1, 2, PATIENCE, LOOPBACK));
    assertTrue(refused.getMessage().contains("requires TLS"), refused.getMessage());
    ExecutionException missing = assertThrows(ExecutionException.class, serving::get);
    assertInstanceOf(AuthenticationException.class, missing.getCause());
  }

  @Test
  void byTheEnvironmentThatTorchrunLeaves() throws Exception {
    Map<String, String> agent =
        Map.of("MASTER_ADDR", "127.0.0.1", "MASTER_PORT", Integer.toString(FreePort.choose()));
    all(
        rank -> {
          Map<String, String> own = new java.util.HashMap<>(agent);
          own.put("RANK", Integer.toString(rank));
          own.put("WORLD_SIZE", Integer.toString(SIZE));
          return rank == 1
              ? Init.byUrl("env://", -1, -1, PATIENCE, own)
              : Init.fromEnvironment(own);
        });
    all(rank -> Init.byUrl("env://?world_size=" + SIZE, rank, -1, PATIENCE, agent));
  }

  /** torchrun's agent serves the store, and starts the ranks anew after a failure. */
  @Test
  void atAStoreThatIsThereAlready() {
    try (TcpStore agent = Stores.serve("127.0.0.1", 0, PATIENCE)) {
      for (int attempt = 0; attempt < 2; attempt++) {
        String count = Integer.toString(attempt);
        all(
            rank ->
                Init.fromEnvironment(
                    Map.of(
                        "RANK",
                        Integer.toString(rank),
                        "WORLD_SIZE",
                        Integer.toString(SIZE),
                        "MASTER_ADDR",
                        "127.0.0.1",
                        "MASTER_PORT",
                        Integer.toString(agent.port()),
                        "TORCHELASTIC_USE_AGENT_STORE",
                        "True",
                        "TORCHELASTIC_RESTART_COUNT",
                        count,
                        "GLOO_SOCKET_IFNAME",
                        "lo")));
      }
    }
  }

  @Test
  void byAddressesKnownBeforehand() throws Exception {
    List<String> addresses = new ArrayList<>();
    for (int rank = 0; rank < SIZE; rank++) {
      addresses.add("127.0.0.1:" + FreePort.choose());
    }
    all(rank -> ProcessGroup.connect(rank, addresses));
  }

  /** As a Spark barrier stage does it: every rank sends every other a line of text. */
  @Test
  void byAddressesExchangedAtRunTime() {
    String[] addresses = new String[SIZE];
    CyclicBarrier allGather = new CyclicBarrier(SIZE);
    all(
        rank -> {
          OpenRank open =
              ProcessGroup.builder()
                  .rank(rank)
                  .size(SIZE)
                  .device("tcp", DeviceOptions.DEFAULTS.with("interface", "lo"))
                  .open();
          addresses[rank] = open.address();
          allGather.await();
          ProcessGroup group = open.connect(List.of(addresses));
          assertThrows(IllegalStateException.class, () -> open.connect(List.of(addresses)));
          open.close();
          return group;
        });
  }

  /** One comes late, one never: all who are there say who is missing, at the deadline. */
  @Test
  void missingRanksAreNamedAtTheDeadline(@TempDir Path directory) {
    try (TcpStore agent = Stores.serve("127.0.0.1", 0, PATIENCE)) {
      String tcp = "tcp://127.0.0.1:" + agent.port() + "?serve=no";
      for (String url : List.of("file://" + directory, tcp)) {
        Duration patience = Duration.ofSeconds(1);
        CountDownLatch never = new CountDownLatch(1);
        List<CompletableFuture<Void>> ranks = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
          int own = rank;
          ranks.add(
              Ranks.inThread(
                  () -> {
                    assertFalse(never.await(300L * own, TimeUnit.MILLISECONDS));
                    long start = System.nanoTime();
                    RendezvousTimeoutException e =
                        assertThrows(
                            RendezvousTimeoutException.class,
                            () -> Init.byUrl(url, own, 3, patience, LOOPBACK));
                    assertTrue(System.nanoTime() - start >= patience.toNanos());
                    assertTrue(e.missingRanks().contains(2), e.getMessage());
                    assertFalse(e.missingRanks().contains(own), e.getMessage());
                    return null;
                  }));
        }
        ranks.forEach(Ranks::patiently);
      }
    }
  }

  @Test
  void addressesThatAreNoneAreRefused() {
    try (OpenRank open = ProcessGroup.builder().rank(0).size(2).open()) {
      String own = open.address();
      assertThrows(IllegalArgumentException.class, () -> open.connect(List.of(own)));
      assertThrows(IllegalArgumentException.class, () -> open.connect(List.of(own, "?")));
      assertThrows(IllegalArgumentException.class, () -> open.connect(List.of("AAAA", own)));
    }
    assertThrows(IllegalArgumentException.class, () -> ProcessGroup.connect(0, List.of()));
    assertThrows(IllegalArgumentException.class, () -> ProcessGroup.connect(0, List.of("host")));
  }

  @Test
  void missingAndContradictoryArgumentsAreNamed() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> ProcessGroup.init("tcp://h:1?rank=1", 0, 2, PATIENCE));
    assertTrue(e.getMessage().contains("rank is given as 0, and as 1"), e.getMessage());
    e =
        assertThrows(
            IllegalArgumentException.class, () -> ProcessGroup.init("tcp://h:1", 0, -1, PATIENCE));
    assertTrue(e.getMessage().contains("world_size"), e.getMessage());
    assertThrows(IllegalArgumentException.class, () -> ProcessGroup.init("x://y", 0, 1, PATIENCE));
    IllegalStateException missing =
        assertThrows(
            IllegalStateException.class,
            () -> Init.byUrl("env://", 0, -1, PATIENCE, Map.of("MASTER_PORT", "1")));
    assertTrue(
        missing.getMessage().contains("WORLD_SIZE") && missing.getMessage().contains("MASTER_ADDR"),
        missing.getMessage());
  }
}
