package io.jgloo.rendezvous;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.transport.AuthenticationException;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.JobSecret;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ranks of one job secret find each other in a store that other processes can write. */
@Timeout(value = 100, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SecretContextTest {
  private static final Duration LONG = Duration.ofSeconds(90);

  private final HashStore store = new HashStore(LONG);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<AutoCloseable> toClose = new ArrayList<>();

  @AfterEach
  void closeAll() throws Exception {
    for (int i = toClose.size() - 1; i >= 0; i--) {
      toClose.get(i).close();
    }
    threads.shutdownNow();
    store.close();
  }

  private static DeviceOptions options(String secret) {
    DeviceOptions options = DeviceOptions.DEFAULTS.with("bind", "127.0.0.1").with("memory", "off");
    byte[] bytes = ("the secret is " + secret).getBytes(US_ASCII);
    return secret.equals("none") ? options : options.withSecret(JobSecret.of(bytes));
  }

  private Future<Mesh> connect(int rank, String secret) {
    return connect(rank, secret, "world");
  }

  private Future<Mesh> connect(int rank, String secret, String group) {
    Device device = Devices.open("tcp", options(secret));
    Context context = new Context(new Membership(group, 0, rank, 2), LONG);
    toClose.add(device);
    toClose.add(context);
    return threads.submit(() -> context.connectFullMesh(store, device));
  }

  private static void refused(Future<Mesh> rank, String reason) {
    ExecutionException failure = assertThrows(ExecutionException.class, rank::get);
    assertInstanceOf(AuthenticationException.class, failure.getCause(), failure::toString);
    assertTrue(failure.getMessage().contains(reason), failure::getMessage);
  }

  private void assertConnects(String secret) throws Exception {
    Future<Mesh> first = connect(0, secret);
    Future<Mesh> second = connect(1, secret);
    assertEquals(0, first.get().membership().rank());
    assertEquals(1, second.get().membership().rank());
  }

  private record Pair(String first, String second, String atFirst, String atSecond) {}

  /** In groups of their own, at the same time: each takes 3 s. */
  @Test
  void otherSecret_isReportedAtBothRanks() {
    List<Pair> pairs =
        List.of(
            new Pair("red", "blue", "is of job", "is of job"),
            new Pair("none", "blue", "has no job secret", "has no job secret"),
            new Pair("red", "none", "has no job secret", "has no job secret"));
    List<Future<Mesh>> ranks = new ArrayList<>();
    for (Pair pair : pairs) {
      String group = "group" + ranks.size();
      ranks.add(connect(0, pair.first(), group));
      ranks.add(connect(1, pair.second(), group));
    }
    for (int i = 0; i < pairs.size(); i++) {
      refused(ranks.get(2 * i), pairs.get(i).atFirst());
      refused(ranks.get(2 * i + 1), pairs.get(i).atSecond());
    }
  }

  /** The records of the first are not used, but replaced, as it does not need them any more. */
  @Test
  void twoJobsOneAfterTheOtherInOneStore_doNotMix() throws Exception {
    List<Mesh> all = new ArrayList<>();
    for (String secret : List.of("red", "blue")) {
      List<Future<Mesh>> ranks = List.of(connect(0, secret), connect(1, secret));
      for (Future<Mesh> rank : ranks) {
        all.add(rank.get());
      }
    }
    for (Mesh mesh : all) {
      assertTrue(mesh.failure().isEmpty());
    }
  }

  /** Whoever registers first: no group has ranks of both. */
  @Test
  void twoJobsAtTheSameTimeInOneStore_doNotMix() throws Exception {
    List<Future<Mesh>> ranks = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      ranks.add(connect(rank, "red"));
      ranks.add(connect(rank, "blue"));
    }
    int[] connected = new int[2];
    for (int i = 0; i < ranks.size(); i++) {
      try {
        ranks.get(i).get();
        connected[i % 2]++;
      } catch (ExecutionException e) {
        assertInstanceOf(AuthenticationException.class, e.getCause(), e::toString);
      }
    }
    assertTrue(connected[0] != 1 && connected[1] != 1, () -> Arrays.toString(connected));
  }

  @Test
  void garbageAndRecordsOfEndedProcesses_areReplaced() throws Exception {
    store.set("world@0/rank/0", "not a record".getBytes(US_ASCII));
    try (Device ended = Devices.open("tcp", options("blue"))) {
      Mesh mesh = ended.newMesh(new Membership("world", 0, 1, 2));
      RankRecord record = new RankRecord(1, 2, UUID.randomUUID(), mesh.address());
      store.set("world@0/rank/1", record.encode());
    }
    assertConnects("red");
  }

  @Test
  void forgedConflictsAndFailures_doNotCount() throws Exception {
    JoinFailure failure = new JoinFailure(0, List.of(1), "forged");
    store.set("world@0/failure", failure.encode());
    Future<Mesh> first = connect(0, "red");
    while (!store.check(List.of("world@0/rank/0"))) {
      LockSupport.parkNanos(1_000_000);
    }
    byte[] value = store.get("world@0/rank/0", LONG);
    UUID nonce = RankRecord.decode(0, Arrays.copyOfRange(value, 52, value.length)).nonce();
    store.set("world@0/conflict/0", nonce.toString().getBytes(US_ASCII));
    UUID other = UUID.randomUUID();
    store.set("world@0/conflict/size", new SizeConflict(0, 2, nonce, 1, 3, other).encode());
    Future<Mesh> second = connect(1, "red");
    assertEquals(0, first.get().membership().rank());
    assertEquals(1, second.get().membership().rank());
  }
}
