package io.jgloo.rendezvous;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rendezvous.store.file.FileStore;
import io.jgloo.rendezvous.store.tcp.TcpStoreClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Stores between real processes, one of which may be killed. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class StoreSystemTest {
  private static final Duration LONG = Duration.ofSeconds(100);
  private static final Duration SHORT = Duration.ofSeconds(5);
  private static final Path PRLIMIT = Path.of("/usr/bin/prlimit");
  private static final int SPARE_FILES = 8;

  @TempDir Path directory;

  /** Opens a store and follows orders from standard input. */
  static final class Child {
    private Child() {}

    /** Arguments: a store URL and a rank. */
    public static void main(String[] arguments) throws IOException {
      try (Store store = Stores.open(arguments[0], Integer.parseInt(arguments[1]), LONG)) {
        System.out.println("ready");
        byte[] order = new byte[64];
        int length = System.in.read(order);
        while (length > 0) {
          String[] words = new String(order, 0, length, UTF_8).trim().split(" ");
          System.out.println(obey(store, words));
          length = System.in.read(order);
        }
      }
    }

    private static String obey(Store store, String[] words) {
      switch (words[0]) {
        case "add" -> {
          List<String> sums = new ArrayList<>();
          for (int i = 0; i < Integer.parseInt(words[2]); i++) {
            sums.add(String.valueOf(store.add(words[1], 1)));
          }
          return String.join(" ", sums);
        }
        case "get" -> {
          return new String(store.get(words[1]), UTF_8);
        }
        case "churn" -> {
          for (int i = 0; ; i++) {
            store.set("churn", new byte[1 + i % 200_000]);
          }
        }
        default -> throw new AssertionError(words[0]);
      }
    }
  }

  private static ChildJvm child(String url, int rank) throws IOException {
    ChildJvm child = ChildJvm.start(Child.class, url, rank);
    assertEquals("ready", child.line());
    return child;
  }

  @Test
  void directory_isSharedByProcesses() throws Exception {
    String url = "file://" + directory;
    try (Store store = Stores.open(url, 0, LONG)) {
      int each = 300;
      try (ChildJvm one = child(url, 1);
          ChildJvm two = child(url, 2)) {
        one.tell("add counter " + each);
        two.tell("add counter " + each);
        Set<String> sums = new TreeSet<>();
        for (int i = 0; i < each; i++) {
          sums.add(String.valueOf(store.add("counter", 1)));
        }
        sums.addAll(List.of(one.line().split(" ")));
        sums.addAll(List.of(two.line().split(" ")));
        assertEquals(3 * each, sums.size());
        assertEquals(3L * each, store.add("counter", 0));
        one.tell("get greeting");
        store.set("greeting", "hello".getBytes(UTF_8));
        assertEquals("hello", one.line());
      }
    }
  }

  @Test
  void killedWriter_leavesAWholeValueAndNoLock() throws Exception {
    try (FileStore store = new FileStore(directory, LONG)) {
      for (int round = 0; round < 2; round++) {
        try (ChildJvm child = child("file://" + directory, 1)) {
          store.deleteKey("churn");
          child.tell("churn");
          for (int i = 0; i < 20 * round + 1; i++) {
            byte[] value = store.get("churn");
            assertArrayEquals(new byte[value.length], value);
          }
          child.kill();
        }
        byte[] value = store.get("churn", Duration.ZERO);
        assertArrayEquals(new byte[value.length], value);
        store.set("after", value);
      }
      assertTrue(store.check(Set.of("churn", "after")));
    }
  }

  @Test
  void killedServerProcess_endsWaits() throws Exception {
    int port;
    try (TcpStoreClient probe = TcpStoreClient.serve("127.0.0.1", 0, LONG)) {
      port = probe.port();
    }
    String url = "tcp://127.0.0.1:" + port;
    try (ChildJvm server = child(url, 0);
        Store store = Stores.open(url, 1, LONG)) {
      CompletableFuture<byte[]> waiter = CompletableFuture.supplyAsync(() -> store.get("k"));
      store.set("other", new byte[1]);
      server.kill();
      Exception e = assertThrows(Exception.class, waiter::get);
      assertTrue(e.getCause() instanceof StoreUnavailableException, e.toString());
      assertThrows(StoreUnavailableException.class, () -> store.get("other"));
    }
  }

  /** A client that the server cannot accept waits until another one leaves, or its deadline. */
  @Test
  void serverAtTheLimitOfOpenFiles_servesItsClientsAndAcceptsOthersLater() throws Exception {
    assumeTrue(Files.isExecutable(PRLIMIT), "no " + PRLIMIT + " to set the limit of a process");
    int port;
    try (TcpStoreClient probe = TcpStoreClient.serve("127.0.0.1", 0, LONG)) {
      port = probe.port();
    }
    ExecutorService threads = Executors.newCachedThreadPool();
    List<TcpStoreClient> served = new ArrayList<>();
    try (ChildJvm server = child("tcp://127.0.0.1:" + port, 0)) {
      setOne(port, "early"); // the classes of the tests are in folders: they need open files
      limitOpenFiles(server.pid(), openFiles(server.pid()) + SPARE_FILES);
      StoreUnavailableException refusal = null;
      while (refusal == null) {
        assertTrue(served.size() < 2 * SPARE_FILES, served.size() + " clients");
        try {
          served.add(TcpStoreClient.connect("127.0.0.1", port, SHORT));
        } catch (StoreUnavailableException e) {
          refusal = e;
        }
      }
      assertFalse(served.isEmpty());
      List<Future<?>> waiting = new ArrayList<>();
      for (int i = 0; i < 3 * SPARE_FILES; i++) {
        String key = "late" + i;
        waiting.add(threads.submit(() -> setOne(port, key)));
      }
      for (int i = 0; i < 500; i++) {
        TcpStoreClient client = served.get(i % served.size());
        assertEquals(i + 1, client.add("served", 1));
      }
      assertTrue(waiting.stream().noneMatch(Future::isDone), "the limit was not reached");
      while (served.size() > 1) {
        served.remove(1).close();
      }
      for (Future<?> each : waiting) {
        each.get();
      }
      assertEquals(501, served.get(0).add("served", 1));
      server.tell("get sets");
      assertEquals("" + (1 + waiting.size()), server.line());
    } finally {
      threads.shutdownNow();
      served.forEach(TcpStoreClient::close);
    }
  }

  private static void setOne(int port, String key) {
    try (TcpStoreClient store = TcpStoreClient.connect("127.0.0.1", port, LONG)) {
      store.set(key, key.getBytes(UTF_8));
      assertArrayEquals(key.getBytes(UTF_8), store.get(key));
      store.add("sets", 1);
    }
  }

  private static int openFiles(long pid) throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc/" + pid + "/fd"))) {
      return (int) files.count();
    }
  }

  private static void limitOpenFiles(long pid, int count) throws Exception {
    String limit = "--nofile=" + count + ":";
    Process process = new ProcessBuilder("" + PRLIMIT, "--pid", "" + pid, limit).start();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0, "no " + PRLIMIT);
  }
}
