package io.jgloo.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.StoreHistory;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rendezvous.store.TcpStore;
import io.jgloo.rendezvous.store.tcp.TcpStoreClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What processes see of a store while some are killed and connections break. */
@Timeout(value = 240, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class StoreFaultsSystemTest {
  private static final Duration LONG = Duration.ofSeconds(100);
  private static final int CLIENTS = 3;

  /** Of a client and a round: all clients together stay below the 63 of a history. */
  private static final int OPERATIONS = 12;

  private static final int KILL_EVERY = 6;
  private static final int LEAST_KILLS = 3;
  private static final int LEAST_LOST = 10;
  private static final String DONE = "done";
  private static final String END = ".";

  /** Makes operations, round by round, and reports each before and after it. */
  static final class Child {
    private Child() {}

    /** Arguments: a port, the number of the client and a seed. */
    public static void main(String[] arguments) throws IOException {
      int port = Integer.parseInt(arguments[0]);
      int client = Integer.parseInt(arguments[1]);
      StoreHistory history = new StoreHistory(Long.parseLong(arguments[2]));
      TcpStore store = Stores.connect("127.0.0.1", port, LONG);
      System.out.println("ready");
      BufferedReader orders =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = orders.readLine(); line != null; line = orders.readLine()) {
        int round = Integer.parseInt(line);
        try {
          history.client(round, client).run(store, "r" + round, OPERATIONS, Child::report);
        } catch (StoreUnavailableException e) {
          store.close();
          store = Stores.connect("127.0.0.1", port, LONG);
        }
        System.out.println(DONE);
      }
    }

    private static void report(StoreHistory.Operation operation) {
      String result = operation.isLost() ? "lost" : "=" + operation.result();
      System.out.println(
          String.join(
              "|",
              operation.kind(),
              operation.first(),
              operation.second(),
              result,
              "" + operation.fromNanos(),
              "" + operation.toNanos(),
              END));
    }
  }

  private static StoreHistory.Operation parsed(String line) {
    String[] words = line.split("\\|", -1);
    assertEquals(7, words.length, line);
    String result = words[3].startsWith("=") ? words[3].substring(1) : null;
    long from = Long.parseLong(words[4]);
    return new StoreHistory.Operation(
        words[0], words[1], words[2], result, from, Long.parseLong(words[5]));
  }

  private final SplittableRandom random = new SplittableRandom(11);
  private final ChildJvm[] children = new ChildJvm[CLIENTS];
  private int kills;
  private int lost;

  private void start(CuttingProxy proxy, int client, long seed) throws IOException {
    children[client] = ChildJvm.start(Child.class, proxy.port(), client, seed);
    assertEquals("ready", children[client].line());
  }

  /**
   * Adds what a child reports, but at most so many lines; false at the end of its round or life.
   */
  private static boolean read(ChildJvm child, int lines, Map<Long, StoreHistory.Operation> byStart)
      throws IOException {
    for (int i = 0; i < lines; i++) {
      String line = child.line();
      if (line == null || line.equals(DONE)) {
        return false;
      }
      if (line.endsWith(END)) { // else the process was killed while it wrote it
        byStart.put(parsed(line).fromNanos(), parsed(line));
      }
    }
    return true;
  }

  /** One key: all clients work on it, and one of them is cut off or killed meanwhile. */
  private List<StoreHistory.Operation> round(CuttingProxy proxy, int round) throws Exception {
    int victim = random.nextInt(CLIENTS);
    for (ChildJvm child : children) {
      child.tell("" + round);
    }
    List<Map<Long, StoreHistory.Operation>> seen = new ArrayList<>();
    for (int client = 0; client < CLIENTS; client++) {
      seen.add(new LinkedHashMap<>());
    }
    int lines = random.nextInt(2 * OPERATIONS - 1);
    boolean more = read(children[victim], lines, seen.get(victim));
    boolean kill = round % KILL_EVERY == 0;
    if (kill) {
      kills++;
      children[victim].kill();
    } else if (round % 2 == 0) {
      proxy.cutAtNextReply();
    } else {
      proxy.cut(random.nextInt(CLIENTS));
    }
    List<StoreHistory.Operation> all = new ArrayList<>();
    for (int client = 0; client < CLIENTS; client++) {
      if (client != victim || more) {
        boolean unused = read(children[client], Integer.MAX_VALUE, seen.get(client));
      }
      all.addAll(seen.get(client).values());
    }
    if (kill) {
      start(proxy, victim, round);
    }
    return all;
  }

  @Test
  void addToAMissingKeyWhoseConnectionIsCut_isALostServer() throws Exception {
    try (TcpStoreClient server = TcpStoreClient.serve("127.0.0.1", 0, LONG);
        CuttingProxy proxy = new CuttingProxy(server.port());
        TcpStore store = Stores.connect("127.0.0.1", proxy.port(), LONG)) {
      proxy.cutAtNextRequest();
      assertThrows(StoreUnavailableException.class, () -> store.add("missing", 1));
      assertEquals(1, server.add("missing", 1));
    }
  }

  @Test
  void operations_areLinearizableUnderKillsAndCuts() throws Exception {
    try (TcpStoreClient server = TcpStoreClient.serve("127.0.0.1", 0, LONG);
        CuttingProxy proxy = new CuttingProxy(server.port())) {
      for (int client = 0; client < CLIENTS; client++) {
        start(proxy, client, 0);
      }
      for (int round = 1; kills < LEAST_KILLS || lost < LEAST_LOST; round++) {
        List<StoreHistory.Operation> all = round(proxy, round);
        lost += (int) all.stream().filter(StoreHistory.Operation::isLost).count();
        String text = "round " + round + ": no order explains\n" + StoreHistory.text(all);
        assertTrue(StoreHistory.isLinearizable(all), text);
      }
    } finally {
      for (ChildJvm child : children) {
        if (child != null) {
          child.close();
        }
      }
    }
  }
}
