package io.jgloo.bench.foreign;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Other ways for ranks of ours and of C++ Gloo to come into one mesh: the same bytes. */
@Timeout(300)
final class MixedWaysSystemTest {
  private static final List<String> PLAN =
      List.of(
          "alltoall count=64 tag=1",
          "allreduce count=1003 tag=2",
          "allreduce algorithm=bcube type=float64 count=7 tag=3",
          "broadcast type=int32 count=100003 root=2 tag=4",
          "gather type=int8 count=7 root=1 tag=5",
          "allgatherv type=float64 count=7 tag=6",
          "reduce count=500007 root=0 tag=7",
          "sendRecv count=1001 messages=3",
          "recvAny count=7 messages=3 root=1 directed=1",
          "barrier tag=8");
  private static final Set<Set<Integer>> PLACES = Set.of(Set.of(0), Set.of(1, 2));
  private static final int SIZE = 4;

  @BeforeAll
  @Timeout(CppDriver.BUILD_SECONDS)
  static void buildDriver() throws Exception {
    CppDriver.make();
  }

  @ParameterizedTest
  @CsvSource({
    "gloo-classic, redis",
    "gloo-classic, ipv6",
    "gloo-classic, factory",
    "gloo, redis",
    "gloo, ipv6",
    "gloo, factory",
    "gloo, lazy"
  })
  void everyRankEndsWithWhatCppAloneEndsWith(String wire, String way, @TempDir Path folder)
      throws Exception {
    MixedJob job = MixedJob.of(CppDriver.of(wire), wire, folder);
    switch (way) {
      case "redis" -> {
        try (RedisProcess server = RedisProcess.start(folder)) {
          compare(job.meeting(server.url()));
        }
      }
      case "ipv6" -> compare(job.with("bind", "::1", "--host", "::1"));
      case "factory" -> compare(job.with("bind", "127.0.0.1", "--factory"));
      default -> compare(job.with("connecting", "lazy", "--lazy"));
    }
  }

  private static void compare(MixedJob job) throws Exception {
    Path expected = job.run(SIZE, Set.of(), PLAN);
    for (Set<Integer> ours : PLACES) {
      check(expected, job.run(SIZE, ours, PLAN), ours);
    }
  }

  private static void check(Path expected, Path actual, Set<Integer> ours) throws IOException {
    int compared = Dumps.assertSame(expected, actual, SIZE, "ours " + ours);
    assertTrue(compared >= PLAN.size() * SIZE, "compared " + compared);
  }
}
