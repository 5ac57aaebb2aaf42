package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.CostModel;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.rendezvous.RendezvousTimeoutException;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.transport.AuthenticationException;
import io.jgloo.transport.Certificates;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.FreePort;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.PeerLostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How groups come to be, and come to be again. */
@Timeout(120)
class ConnectTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Test
  void algorithmsAreChosenByTheGivenCosts() {
    // Where starting a message costs nothing only bytes count, and the other way round.
    assertEquals("ring", choice("alpha=0.0:beta=1.0E-9:gamma=1.0E-9"));
    assertEquals("recursiveDoubling", choice("alpha=1.0:beta=0.0:gamma=0.0"));
  }

  /** Without shared memory: cells, which short calls use there, have algorithms of their own. */
  private static String choice(String costs) {
    DeviceOptions options = DeviceOptions.DEFAULTS.with("interface", "lo").with("memory", "off");
    List<CompletableFuture<String>> ranks = new ArrayList<>();
    try (HashStore store = new HashStore();
        Device device = Devices.open("tcp", options)) {
      for (int rank = 0; rank < 4; rank++) {
        GroupBuilder builder =
            ProcessGroup.builder().rank(rank).size(4).store(store).device(device);
        builder.costs(CostModel.parse(costs)).connectTimeout(PATIENCE);
        ranks.add(
            Ranks.inThread(
                () -> {
                  try (ProcessGroup group = builder.connect()) {
                    float[] x = new float[1000];
                    group.allreduce(x, ReduceOp.SUM);
                    return group.explain(Collective.ALLREDUCE, DataType.FLOAT32, x.length);
                  }
                }));
      }
      List<String> chosen = ranks.stream().map(Ranks::patiently).distinct().toList();
      assertEquals(1, chosen.size(), chosen::toString);
      return chosen.get(0);
    }
  }

  /** Rank 0 serves the store with the files of its device. */
  @Test
  void tlsOfADeviceObject_isThatOfItsStoreToo() throws Exception {
    String url = "tcp://127.0.0.1:" + FreePort.choose();
    List<CompletableFuture<Void>> ranks = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      int own = rank;
      DeviceOptions options = Certificates.of(rank).addTo(DeviceOptions.DEFAULTS);
      ranks.add(
          Ranks.inThread(
              () -> {
                try (Device device = Devices.open("tcp", options.with("interface", "lo"));
                    ProcessGroup group =
                        ProcessGroup.builder()
                            .rank(own)
                            .size(2)
                            .store(url)
                            .device(device)
                            .connectTimeout(PATIENCE)
                            .connect()) {
                  AuthenticationException refused =
                      assertThrows(
                          AuthenticationException.class,
                          () -> Stores.open(url + "?serve=no", 1, PATIENCE));
                  assertTrue(refused.getMessage().contains("requires TLS"), refused::getMessage);
                  group.barrier();
                }
                return null;
              }));
    }
    ranks.forEach(Ranks::patiently);
  }

  @Test
  void byUrl(@TempDir Path directory) {
    List<CompletableFuture<Long>> ranks = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      int own = rank;
      ranks.add(
          Ranks.inThread(
              () -> {
                try (ProcessGroup group =
                    ProcessGroup.builder()
                        .rank(own)
                        .size(3)
                        .store("file://" + directory)
                        .device("tcp", DeviceOptions.DEFAULTS.with("interface", "lo"))
                        .name("by url")
                        .connectTimeout(PATIENCE)
                        .connect()) {
                  assertEquals("by url", group.name());
                  assertEquals(3, group.localSize());
                  assertEquals(own, group.localRank());
                  long[] x = {own};
                  group.allreduce(x, ReduceOp.SUM);
                  group.barrier();
                  return x[0];
                }
              }));
    }
    ranks.forEach(rank -> assertEquals(3, Ranks.patiently(rank)));
  }

  @Test
  void twoGroupsOfOneStoreAndDevice() {
    try (HashStore store = new HashStore();
        Device device = Devices.open("tcp")) {
      List<CompletableFuture<Void>> ranks = new ArrayList<>();
      for (int rank = 0; rank < 2; rank++) {
        int own = rank;
        ranks.add(
            Ranks.inThread(
                () -> {
                  GroupBuilder builder =
                      ProcessGroup.builder().rank(own).size(2).store(store).device(device);
                  try (ProcessGroup one = builder.name("one").connect();
                      ProcessGroup two = builder.name("two").connect()) {
                    Work first = one.async().barrier();
                    two.barrier();
                    first.await();
                  }
                  return null;
                }));
      }
      ranks.forEach(Ranks::patiently);
    }
  }

  @Test
  void survivorsFormANewGroup() {
    try (HashStore store = new HashStore();
        Device device = Devices.open("tcp");
        Device doomed = Devices.open("tcp")) {
      List<CompletableFuture<Long>> ranks = new ArrayList<>();
      for (int rank = 0; rank < 4; rank++) {
        int own = rank;
        ranks.add(
            Ranks.inThread(() -> own == 2 ? die(store, doomed) : survive(own, store, device)));
      }
      for (int rank = 0; rank < 4; rank++) {
        assertEquals(rank == 2 ? 0 : 4, Ranks.patiently(ranks.get(rank)));
      }
    }
  }

  private static long die(HashStore store, Device device) {
    ProcessGroup group = ProcessGroup.connect(2, 4, store, device);
    group.barrier();
    device.close(); // as the end of a process would
    return 0;
  }

  private static long survive(int rank, HashStore store, Device device) {
    GroupBuilder builder =
        ProcessGroup.builder().store(store).device(device).connectTimeout(PATIENCE);
    try (ProcessGroup group = builder.rank(rank).size(4).connect()) {
      JGlooException failure =
          assertThrows(
              JGlooException.class,
              () -> {
                group.barrier();
                while (true) {
                  group.allreduce(new float[100_000], ReduceOp.SUM);
                }
              });
      assertTrue(failure instanceof PeerLostException lost && lost.peer() == 2, failure::toString);
    }
    int renumbered = rank > 2 ? rank - 1 : rank;
    try (ProcessGroup group = builder.rank(renumbered).size(3).epoch(1).connect()) {
      assertEquals(1, group.epoch());
      long[] x = {rank};
      group.allreduce(x, ReduceOp.SUM);
      group.barrier();
      return x[0];
    }
  }

  @Test
  void aRankThatNeverComesIsNamed() {
    try (HashStore store = new HashStore();
        Device device = Devices.open("tcp")) {
      RendezvousTimeoutException failure =
          assertThrows(
              RendezvousTimeoutException.class,
              () ->
                  ProcessGroup.builder()
                      .rank(0)
                      .size(2)
                      .store(store)
                      .device(device)
                      .connectTimeout(Duration.ofMillis(200))
                      .connect());
      assertTrue(failure.getMessage().contains("1"), failure.getMessage());
    }
  }

  @Test
  void invalidArgumentsAreRefusedBeforeAnyIo() {
    GroupBuilder builder = ProcessGroup.builder();
    assertThrows(IllegalArgumentException.class, builder::connect);
    assertThrows(IllegalArgumentException.class, () -> builder.rank(3).size(3).connect());
    assertThrows(IllegalArgumentException.class, () -> builder.rank(2).size(3).connect());
    assertThrows(
        IllegalArgumentException.class, () -> builder.store("carrier-pigeon://home").connect());
    assertThrows(IllegalArgumentException.class, () -> builder.epoch(-1).connect());
  }
}
