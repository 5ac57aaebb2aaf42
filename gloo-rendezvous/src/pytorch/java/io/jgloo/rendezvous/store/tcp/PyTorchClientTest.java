package io.jgloo.rendezvous.store.tcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.PrefixStore;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** PyTorch's own client at our server, operation by operation. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class PyTorchClientTest {
  private static final Duration LONG = Duration.ofSeconds(50);
  private static final Duration SHORT = Duration.ofMillis(200);

  private final StoreServer server =
      StoreServer.start(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), TcpStoreLimits.DEFAULT);
  private final TcpStoreClient ours = TcpStoreClient.connect("127.0.0.1", server.port(), LONG);
  private final GenuineStore theirs = GenuineStore.connect(server.port(), LONG);
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void close() {
    theirs.close();
    ours.close();
    server.close();
    threads.shutdownNow();
  }

  private <T> Future<T> start(Callable<T> body) {
    return threads.submit(body);
  }

  private static String failure(org.junit.jupiter.api.function.Executable call) {
    String message = assertThrows(RuntimeException.class, call).getMessage();
    return message.lines().findFirst().orElseThrow();
  }

  private String seen(String key) {
    return new String(ours.get(key), UTF_8);
  }

  /** A set is not acknowledged on the wire; whatever the same client asks next comes after it. */
  private void settle() {
    theirs.numKeys();
  }

  @Test
  void setGetCheckAndDelete_work() {
    theirs.set("k", "v");
    assertEquals("v", theirs.get("k"));
    assertEquals("v", seen("k"));
    ours.set("k", "of ours".getBytes(UTF_8));
    assertEquals("of ours", theirs.get("k"));
    assertTrue(theirs.check("k"));
    assertFalse(theirs.check("k", "l"));
    theirs.set("-k", "");
    assertEquals("", theirs.get("-k"));
    assertEquals(2, theirs.numKeys());
    assertTrue(theirs.deleteKey("k"));
    assertFalse(theirs.deleteKey("k"));
    assertFalse(ours.check(List.of("k")));
    assertEquals(1, theirs.numKeys());
  }

  @Test
  void valuesOfEveryLength_areStored() {
    Random random = new Random(3);
    for (int length : new int[] {0, 1, 1439, 1440, 65_536, Store.MAX_VALUE_BYTES}) {
      byte[] value = new byte[length];
      random.nextBytes(value);
      theirs.set("big", value);
      assertArrayEquals(value, theirs.getBytes("big"));
      assertArrayEquals(value, ours.get("big"));
      theirs.splitSet("split", value);
      assertArrayEquals(value, theirs.getBytes("split"));
    }
    theirs.set("k".repeat(Store.MAX_KEY_BYTES), "longest");
    assertEquals("longest", seen("k".repeat(Store.MAX_KEY_BYTES)));
  }

  @Test
  void addAndCompareSet_work() {
    assertEquals(5, theirs.add("c", 5));
    assertEquals(-2, ours.add("c", -7));
    assertEquals(-2, theirs.add("c", 0));
    assertEquals("-2", theirs.get("c"));
    theirs.set("text", " 12abc");
    assertEquals(13, theirs.add("text", 1));
    assertEquals("x", theirs.compareSet("s", "x", "y"));
    assertFalse(theirs.check("s"));
    assertEquals("a", theirs.compareSet("s", "", "a"));
    assertEquals("a", theirs.compareSet("s", "x", "b"));
    assertEquals("b", theirs.compareSet("s", "a", "b"));
    assertEquals("b", seen("s"));
  }

  @Test
  void extendedOperations_work() {
    theirs.append("p", "po");
    theirs.append("p", "tato");
    settle();
    assertEquals("potato", seen("p"));
    theirs.multiSet("a", "1", "b", "", "c", "33");
    assertEquals(List.of("33", "1", "", "potato"), theirs.multiGet("c", "a", "b", "p"));
    assertEquals("33", seen("c"));
    assertEquals(Set.of("p", "a", "b", "c"), new TreeSet<>(theirs.listKeys()));
  }

  @Test
  void queues_work() throws Exception {
    assertFalse(theirs.check("q"));
    assertEquals(0, theirs.queueLen("q"));
    assertTrue(failure(() -> theirs.queuePop("q", false)).contains("queue is empty"));
    theirs.queuePush("q", "1");
    theirs.queuePush("q", "2");
    assertEquals(2, theirs.queueLen("q"));
    assertTrue(theirs.check("q"));
    assertEquals("1", theirs.queuePop("q", true));
    assertThrows(StoreException.class, () -> ours.get("q"));
    assertEquals("2", theirs.queuePop("q", true));
    try (GenuineStore other = theirs.copy()) {
      Future<String> popped = start(() -> other.queuePop("q", true));
      theirs.queuePush("q", "3");
      assertEquals("3", popped.get());
    }
  }

  @Test
  void timeoutOfTheClient_leavesTheConnectionUsable() {
    theirs.timeout(SHORT);
    for (int round = 0; round < 3; round++) {
      assertEquals("wait timeout after 200ms, keys: /nope", failure(() -> theirs.get("nope")));
      assertEquals(
          "wait timeout after 10ms, keys: /a, /b",
          failure(() -> theirs.await(Duration.ofMillis(10), "a", "b")));
      assertTrue(failure(() -> theirs.multiGet("a")).contains("timeout"));
      assertTrue(failure(() -> theirs.queuePop("q", true)).contains("timeout"));
      theirs.set("there", "1");
      assertEquals("1", theirs.get("there"));
    }
    theirs.set("nope", "now");
    assertEquals("now", theirs.get("nope"));
  }

  /** The answer to a wait and its cancellation cross, again and again. */
  @Test
  void waitCancelledWhileItsKeyIsSet_leavesTheConnectionUsable() throws Exception {
    Random random = new Random(7);
    int woken = 0;
    for (int round = 0; round < 60; round++) {
      String key = "r" + round;
      Duration patience = Duration.ofMillis(1 + random.nextInt(3));
      Future<Boolean> waited =
          start(
              () -> {
                try {
                  theirs.await(patience, key);
                  return true;
                } catch (RuntimeException timeout) {
                  return false;
                }
              });
      ours.set(key, new byte[] {1});
      woken += waited.get() ? 1 : 0;
      assertEquals("\1", theirs.get(key));
    }
    assertTrue(woken > 0, "no wait was ever answered");
  }

  @Test
  void everyWayToCreateAKey_wakesPyTorchWaiters() throws Exception {
    List<Callable<?>> creators = new ArrayList<>();
    creators.add(() -> ours.compareSet("w0", new byte[0], new byte[] {'x'}));
    creators.add(() -> ours.add("w1", 1));
    creators.add(
        () -> {
          ours.append("w2", new byte[] {'x'});
          return null;
        });
    for (int i = 0; i < creators.size(); i++) {
      String key = "w" + i;
      try (GenuineStore waiting = theirs.copy()) {
        Future<String> value = start(() -> waiting.get(key));
        creators.get(i).call();
        assertEquals(1, value.get().length());
      }
    }
  }

  @Test
  void pytorchWrites_wakeOurWaiters() throws Exception {
    Future<byte[]> got = start(() -> ours.get("k"));
    Future<byte[]> counted = start(() -> ours.get("c"));
    Future<byte[]> exchanged = start(() -> ours.get("s"));
    theirs.set("k", "v");
    theirs.add("c", 7);
    theirs.compareSet("s", "", "t");
    assertEquals("v", new String(got.get(), UTF_8));
    assertEquals("7", new String(counted.get(), UTF_8));
    assertEquals("t", new String(exchanged.get(), UTF_8));
  }

  @Test
  void refusedRequest_disconnectsThisClientOnly() {
    theirs.set("text", "abc");
    assertTrue(failure(() -> theirs.add("text", 1)).contains("got 0 bytes"));
    try (GenuineStore again = GenuineStore.connect(server.port(), LONG)) {
      assertEquals("abc", again.get("text"));
    }
    assertEquals("abc", seen("text"));
  }

  @Test
  void prefixes_areEqual() {
    PrefixStore nested = new PrefixStore("a", new PrefixStore("0/", ours));
    try (GenuineStore outer = theirs.prefixed("0/");
        GenuineStore inner = outer.prefixed("a")) {
      inner.set("k", "theirs");
      assertEquals("theirs", inner.get("k"));
      assertEquals("theirs", new String(nested.get("k"), UTF_8));
      nested.set("l", "ours".getBytes(UTF_8));
      assertEquals("ours", inner.get("l"));
      assertEquals("ours", theirs.get("0//a/l"));
      inner.timeout(SHORT);
      assertEquals("wait timeout after 200ms, keys: /0//a/none", failure(() -> inner.get("none")));
    }
  }

  @Test
  void workers_areCountedAlike() throws Exception {
    // Their rank 0 does not come out of its constructor before all workers have been counted.
    int port;
    try (GenuineStore probe = GenuineStore.serve(true)) {
      port = probe.port();
    }
    Future<GenuineStore> zero = start(() -> GenuineStore.tcp(port, true, true, 3, LONG));
    try (TcpStoreClient one = TcpStoreClient.connect("127.0.0.1", port, LONG);
        TcpStoreClient two = TcpStoreClient.connect("127.0.0.1", port, LONG)) {
      one.joinWorkers();
      two.joinWorkers();
      zero.get().close();
    }
    try (GenuineStore worker = GenuineStore.tcp(server.port(), false, true, 2, LONG)) {
      ours.joinWorkers();
      assertEquals(1, worker.numKeys());
    }
  }

  @Test
  void closedServer_isReportedToPyTorchClients() {
    Future<String> waiting = start(() -> theirs.get("never"));
    server.close();
    ExecutionException e = assertThrows(ExecutionException.class, waiting::get);
    assertFalse(e.getCause().getMessage().contains("timeout"), e.getCause().getMessage());
  }
}
