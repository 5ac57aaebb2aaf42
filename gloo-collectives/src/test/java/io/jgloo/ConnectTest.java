package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.CostModel;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.transport.AuthenticationException;
import io.jgloo.transport.Certificates;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.FreePort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
