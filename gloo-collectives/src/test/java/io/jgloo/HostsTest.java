package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.transport.DeviceOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Groups whose ranks are on several hosts, as attribute {@code host} pretends. */
@Timeout(120)
class HostsTest {
  private static final int COUNT = 300_007;

  @Test
  void largeVectorIsReducedOnEachHostFirst() {
    List<String> seen =
        each(
            "aabbb",
            group -> {
              long[] sum = filled(group, COUNT);
              group.allreduce(sum, ReduceOp.SUM);
              assertArrayEquals(expected(group.size(), COUNT), sum);
              String choice = group.explainChoice(Collective.ALLREDUCE, DataType.INT64, COUNT);
              assertTrue(choice.contains("2 nodes of 2, 3 ranks"), choice);
              return group.explain(Collective.ALLREDUCE, DataType.INT64, COUNT) + ", " + choice;
            });
    assertTrue(seen.get(0).startsWith("hierarchical, hierarchical, the least"), seen::toString);
    assertEquals(1, seen.stream().distinct().count(), seen::toString);
  }

  @Test
  void collectivesOnInterleavedHosts() {
    each(
        "abacb",
        group -> {
          assertEquals(new int[] {0, 0, 1, 0, 1}[group.rank()], group.localRank());
          assertEquals(group.rank() == 3 ? 1 : 2, group.localSize());
          for (int count : new int[] {1, 5, COUNT}) {
            for (String name : List.of("hierarchical", "leaders", "direct")) {
              long[] sum = filled(group, count);
              group.with(named(name)).allreduce(sum, ReduceOp.SUM);
              assertArrayEquals(expected(group.size(), count), sum, name);
            }
            ProcessGroup leaders = group.with(named("leaders"));
            long[] sent = group.rank() == 3 ? expected(2, count) : new long[count];
            leaders.broadcast(sent, 3);
            assertArrayEquals(expected(2, count), sent);
            long[] reduced = filled(group, count);
            leaders.reduce(reduced, ReduceOp.SUM, 4);
            boolean root = group.rank() == 4;
            assertArrayEquals(root ? expected(5, count) : filled(group, count), reduced);
          }
          group.with(named("leaders")).barrier();
          blocks(group.with(named("hierarchical")));
          return "";
        });
  }

  private static void blocks(ProcessGroup group) {
    int size = group.size();
    long[] gathered = new long[7 * size];
    Arrays.fill(gathered, 7 * group.rank(), 7 * group.rank() + 7, 1 + group.rank());
    group.allgather(Payload.of(gathered));
    long[] all = new long[7 * size];
    Arrays.setAll(all, i -> 1 + i / 7);
    assertArrayEquals(all, gathered);
    long[] result = new long[7];
    group.reduceScatter(all, result, ReduceOp.SUM);
    long[] scattered = new long[7];
    Arrays.fill(scattered, size * (1L + group.rank()));
    assertArrayEquals(scattered, result);
  }

  /** Ranks 0 and 2 are on one host, 1 and 3 on another; so no rank shares one in the new group. */
  @Test
  void groupOfSomeRanksHasTheirLayout() {
    each(
        "abab",
        group -> {
          try (ProcessGroup pair = group.split(group.rank() / 2, 0).orElseThrow();
              ProcessGroup host = group.split(group.rank() % 2, 0).orElseThrow()) {
            String apart = pair.explainChoice(Collective.ALLREDUCE, DataType.INT8, 1);
            assertTrue(apart.contains("2 nodes of 1 rank "), apart);
            String together = host.explainChoice(Collective.ALLREDUCE, DataType.INT8, COUNT);
            assertTrue(together.contains("1 node of 2 ranks"), together);
            long[] sum = filled(host, 3);
            host.allreduce(sum, ReduceOp.SUM);
            assertArrayEquals(expected(2, 3), sum);
          }
          return "";
        });
  }

  private static CallOptions named(String algorithm) {
    return CallOptions.DEFAULTS.algorithm(algorithm);
  }

  private static long[] filled(ProcessGroup group, int count) {
    long[] values = new long[count];
    Arrays.setAll(values, i -> (group.rank() + 1L) * (i + 1));
    return values;
  }

  /** The sum of what so many ranks fill in. */
  private static long[] expected(long size, int count) {
    long[] values = new long[count];
    Arrays.setAll(values, i -> size * (size + 1) / 2 * (i + 1));
    return values;
  }

  /** What ranks on these hosts, a letter each, return. */
  private static List<String> each(String hosts, Function<ProcessGroup, String> body) {
    List<CompletableFuture<String>> ranks = new ArrayList<>();
    try (HashStore store = new HashStore()) {
      for (int rank = 0; rank < hosts.length(); rank++) {
        DeviceOptions options =
            DeviceOptions.DEFAULTS.with("interface", "lo").with("host", hosts.charAt(rank) + "");
        GroupBuilder builder =
            ProcessGroup.builder()
                .rank(rank)
                .size(hosts.length())
                .store(store)
                .device("tcp", options)
                .connectTimeout(Duration.ofSeconds(30));
        ranks.add(
            Ranks.inThread(
                () -> {
                  try (ProcessGroup group = builder.connect()) {
                    String result = body.apply(group);
                    group.barrier();
                    return result;
                  }
                }));
      }
      return ranks.stream().map(Ranks::patiently).toList();
    }
  }
}
