package io.jgloo.transport.ibverbs.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.transport.ibverbs.RdmaPort;
import io.jgloo.transport.memory.Memory;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a process may take from a real device, and that it gives all of it back. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class NativeLimitsTest {

  private static final int CYCLES = 1000;

  /** A word and a count in {@code rdma resource show}, such as {@code qp 2}. */
  private static final Pattern RESOURCE = Pattern.compile("([a-z]+) (\\d+)");

  @TempDir Path directory;

  @Test
  void nothingIsLeftAfterAThousandEnds() throws Exception {
    RdmaPort port = RdmaPort.find();
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/rdma")), "no rdma(8) to ask the kernel with");
    cycle(port); // the first loads the driver's library, and what the JVM needs
    Map<String, Integer> resources = resources();
    assertTrue(resources.containsKey("qp") && resources.containsKey("mr"), resources::toString);
    int files = openFiles();
    long bytes = Memory.allocatedBytes();
    for (int i = 0; i < CYCLES; i++) {
      cycle(port);
    }
    assertEquals(resources, resources(), "kernel objects before and after");
    assertEquals(files, openFiles(), "open files before and after");
    assertEquals(bytes, Memory.allocatedBytes(), "native memory before and after");
  }

  private static void cycle(RdmaPort port) throws VerbsException {
    try (End one = new End(port.verbs(), port.device(), port.gidIndex())) {
      assertTrue(one.pair.number() > 0);
    }
  }

  private static int openFiles() {
    return new File("/proc/self/fd").list().length;
  }

  private Map<String, Integer> resources() throws IOException, InterruptedException {
    Path output = directory.resolve("resources");
    Process process =
        new ProcessBuilder("rdma", "resource", "show")
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertTrue(process.waitFor(30, TimeUnit.SECONDS), "rdma does not end");
    String printed = Files.readString(output, StandardCharsets.UTF_8);
    assertEquals(0, process.exitValue(), printed);
    Map<String, Integer> counts = new TreeMap<>();
    Matcher matcher = RESOURCE.matcher(printed);
    while (matcher.find()) {
      counts.merge(matcher.group(1), Integer.valueOf(matcher.group(2)), Integer::sum);
    }
    return counts;
  }

  /** Root may lock what it likes, unless it has dropped CAP_IPC_LOCK. */
  @Test
  void registeringMoreThanMayBeLockedIsRefused() throws VerbsException {
    RdmaPort port = RdmaPort.find();
    long limit = port.verbs().lockedMemoryLimitBytes();
    assumeTrue(limit < End.ROOM, "locked memory is not limited: " + limit);
    assumeTrue(!mayLockAnything(), "this process has CAP_IPC_LOCK");
    long context = port.verbs().open(port.device());
    long domain = port.verbs().allocateDomain(context);
    long memory = Memory.allocate(End.ROOM, Memory.CACHE_LINE);
    try {
      VerbsException e =
          assertThrows(
              VerbsException.class,
              () -> port.verbs().register(domain, memory, End.ROOM, MemoryRegion.LOCAL_WRITE));
      assertEquals(VerbsException.ENOMEM, e.errno());
      assertTrue(e.getMessage().startsWith("ibv_reg_mr of " + End.ROOM), e.getMessage());
    } finally {
      Memory.free(memory);
      port.verbs().deallocateDomain(domain);
      port.verbs().close(context);
    }
  }

  private static boolean mayLockAnything() {
    try {
      return Files.readAllLines(Path.of("/proc/self/status")).stream()
          .filter(line -> line.startsWith("CapEff:"))
          .anyMatch(line -> (Long.parseUnsignedLong(line.split("\\s+", 2)[1], 16) >> 14 & 1) == 1);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
