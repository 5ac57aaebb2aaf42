package io.jgloo.bench.foreign;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.TcpStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.PrefixStore;
import org.bytedeco.pytorch.TCPStore;
import org.bytedeco.pytorch.TCPStoreOptions;
import org.bytedeco.pytorch.presets.torch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Ranks of ours in a group of PyTorch's ProcessGroupGloo: every output of every rank is to the byte
 * what PyTorch's ranks alone leave.
 */
@Timeout(300)
final class PyTorchMeshTest {
  static {
    // Else the binding frees native objects when the collector finds their Java halves, at any time
    // and in a thread of its own: the native heap was found corrupted in one run of three.
    System.setProperty("org.bytedeco.javacpp.nopointergc", "true");
  }

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String KEYS = "default_pg/0//cpu//0";

  @TempDir private Path folder;

  /** All of it before any is loaded: else it is mixed with a PyTorch that the system has. */
  @BeforeAll
  static void unpackPyTorch() throws IOException {
    Loader.cacheResource(torch.class, "/org/bytedeco/pytorch/" + Loader.getPlatform() + "/");
  }

  private record Job(int size, Set<Integer> ours, boolean ourStore) {}

  static Stream<Job> jobs() {
    return Stream.of(
        new Job(2, Set.of(0), false),
        new Job(2, Set.of(1), true),
        new Job(3, Set.of(1), true),
        new Job(4, Set.of(0, 2), false),
        new Job(5, Set.of(1, 2, 4), true));
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void everyRankEndsWithWhatPyTorchAloneEndsWith(Job job) throws Exception {
    List<Case> plan = plan(job.size()).stream().map(Case::of).toList();
    List<byte[]> expected = run(new Job(job.size(), Set.of(), job.ourStore()), plan);
    List<byte[]> actual = run(job, plan);
    for (int rank = 0; rank < job.size(); rank++) {
      assertArrayEquals(expected.get(rank), actual.get(rank), job + ", rank " + rank);
    }
  }

  private static List<String> plan(int size) {
    List<String> lines = new ArrayList<>(List.of("barrier"));
    List<String> types =
        List.of("float32", "float64", "int32", "int64", "int8", "uint8", "float16");
    for (String type : types) {
      for (String op : List.of("sum", "product", "min", "max")) {
        lines.add("allreduce type=" + type + " reduce=" + op + " count=1003");
      }
      lines.add("reduce type=" + type + " count=1003 root=" + (size - 1));
    }
    lines.add("allreduce type=bfloat16 count=1003");
    for (int count : new int[] {1, 7, 10_007}) {
      for (int root = 0; root < size; root++) {
        for (String name : List.of("broadcast", "gather", "scatter", "reduce")) {
          lines.add(name + " count=" + count + " root=" + root);
        }
      }
      lines.add("allgather count=" + count);
      lines.add("alltoall count=" + count);
      lines.add("alltoallv count=" + count);
      lines.add("reduceScatter count=" + count);
      lines.add("sendRecv count=" + count);
      lines.add("recvAny count=" + count + " root=0 slot=" + (1000 + count));
      lines.add("barrier");
    }
    lines.add("allreduce count=1500007");
    lines.add("monitoredBarrier");
    lines.add("allreduce count=5");
    return lines;
  }

  private List<byte[]> run(Job job, List<Case> plan) throws Exception {
    if (!job.ourStore()) {
      try (TCPStore server = theirs(0, true)) {
        return run(job, plan, server.getPort() & 0xffff);
      }
    }
    try (TcpStore server = Stores.serve("127.0.0.1", 0, PATIENCE)) {
      return run(job, plan, server.port());
    }
  }

  private static TCPStore theirs(int port, boolean serves) {
    try (TCPStoreOptions options = new TCPStoreOptions()) {
      options.port((short) port).isServer(serves).waitWorkers(false);
      options.timeout(new Milliseconds(PATIENCE.toMillis()));
      return new TCPStore("127.0.0.1", options);
    }
  }

  private List<byte[]> run(Job job, List<Case> plan, int port) throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    List<Future<byte[]>> ranks = new ArrayList<>();
    List<byte[]> outputs = new ArrayList<>();
    try {
      for (int rank = 0; rank < job.size(); rank++) {
        int me = rank;
        Callable<byte[]> member =
            job.ours().contains(me)
                ? () -> ours(me, job.size(), port, plan)
                : () -> genuine(me, job.size(), port, plan);
        ranks.add(threads.submit(member));
      }
      for (Future<byte[]> rank : ranks) {
        outputs.add(rank.get());
      }
    } finally {
      threads.shutdownNow();
    }
    return outputs;
  }

  private byte[] ours(int rank, int size, int port, List<Case> plan) throws IOException {
    Path dump = Files.createTempDirectory(folder, "ours");
    String store = "tcp://127.0.0.1:" + port + "?serve=no";
    Map<String, String> attributes = Map.of("wire", "gloo", "bind", "127.0.0.1");
    new ForeignRank(rank, size, store, "", true, attributes, PATIENCE)
        .run(group -> new PlanRun(group, true, dump, number -> {}).run(plan));
    return Files.readAllBytes(dump.resolve("rank-" + rank + ".bin"));
  }

  private static byte[] genuine(int rank, int size, int port, List<Case> plan) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    TCPStore store = theirs(port, false);
    PrefixStore all = new PrefixStore("default_pg", store);
    PrefixStore group = new PrefixStore("0/", all);
    PrefixStore device = new PrefixStore("cpu/", group);
    for (List<ByteBuffer> outputs : new GenuineRank(device, rank, size, PATIENCE).run(plan)) {
      for (ByteBuffer output : outputs) {
        byte[] copy = new byte[output.remaining()];
        output.get(copy);
        bytes.writeBytes(copy);
      }
    }
    return bytes.toByteArray();
  }

  @Test
  void theKeysOfADefaultGroupAreThese() throws Exception {
    List<Case> plan = List.of(Case.of("barrier"));
    try (TcpStore watcher = Stores.serve("127.0.0.1", 0, PATIENCE)) {
      run(new Job(2, Set.of(), true), plan, watcher.port());
      assertTrue(watcher.check(Set.of(KEYS + "/0", KEYS + "/1")));
      int host = watcher.get(KEYS + "/0")[0];
      assertEquals(152 + host + 2 * Long.BYTES, watcher.get(KEYS + "/0").length);
    }
  }
}
