package io.jgloo.rendezvous.store.tcp;

import io.jgloo.rendezvous.ChildJvm;
import io.jgloo.rendezvous.store.TcpStoreLimits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Our server and PyTorch's with up to 10,000 clients, in turns, each time in a new process. Not a
 * test:
 *
 * <pre>
 *   mvn -Ppytorch -pl gloo-rendezvous -am test -Dtest=StoreScale \
 *       -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 *
 * <p>All clients connect at once, and each does what a rank does: the handshake with a PING, a set
 * of its key, a wait for the key of the next client. Then they stay connected and send nothing. One
 * thread drives them, the same for both servers. PyTorch's server looks up the host name of each
 * client when it accepts it: without a fast name server that is what is measured, so
 * docs/performance.md does it without any.
 */
final class StoreScale {
  private static final int[] CLIENTS =
      Arrays.stream(System.getProperty("clients", "100,1000,10000").split(",", -1))
          .mapToInt(Integer::parseInt)
          .toArray();
  private static final int ROUNDS = Integer.getInteger("rounds", 5);
  private static final int SETS = 2000;
  private static final int IDLE_SECONDS = 5;
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final long STORM_NANOS = TimeUnit.SECONDS.toNanos(200);
  private static final byte[] VALUE = new byte[200]; // a rank's record is that long

  /** The process of a server; answers each line with its resident KiB and processor time. */
  static final class Server {
    private Server() {}

    public static void main(String[] args) throws IOException {
      if (args[0].equals("PyTorch")) {
        try (GenuineStore store = GenuineStore.serve(true)) {
          report(store.port());
        }
      } else {
        InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        TcpStoreLimits limits = TcpStoreLimits.DEFAULT.withClients(65_536, 65_536);
        try (StoreServer store = StoreServer.start(loopback, limits)) {
          report(store.port());
        }
      }
    }

    private static void report(int port) throws IOException {
      System.out.println(port);
      Map<Path, Long> threads = new TreeMap<>();
      BufferedReader in =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.equals("memory")) {
          System.gc();
        }
        System.out.println(residentKib() + " " + cpuNanos(threads));
      }
    }

    private static long residentKib() throws IOException {
      return Files.readAllLines(Path.of("/proc/self/status")).stream()
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
          .findFirst()
          .orElseThrow();
    }

    /** Of all threads, also ended ones; the JDK's figure for the process has steps of 10 ms. */
    private static long cpuNanos(Map<Path, Long> threads) throws IOException {
      try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
        for (Path task : tasks) {
          try {
            String[] words = Files.readString(task.resolve("schedstat")).split(" ", 2);
            threads.put(task, Long.parseLong(words[0]));
          } catch (NoSuchFileException e) {
            // a thread that has just ended
          }
        }
      }
      return threads.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  private record State(long residentKib, long cpuNanos) {
    static State of(ChildJvm server, String what) throws IOException {
      server.tell(what);
      String[] words = server.line().split(" ", 2);
      return new State(Long.parseLong(words[0]), Long.parseLong(words[1]));
    }
  }

  /** Of the sorted times of several operations, in nanoseconds. */
  private record Times(double p50, double p99) {
    static Times of(long[] sorted) {
      return new Times(quantile(sorted, 0.5), quantile(sorted, 0.99));
    }
  }

  /** One storm and the idle time after it. */
  private record Measured(
      double stormSeconds,
      Times clients,
      double stormCpuMicros,
      double kib,
      double idleMicros,
      Times alone,
      Times among) {}

  /** A client of the storm. */
  private static final class Client {
    final int index;
    final long startNanos = System.nanoTime();
    final ByteBuffer reply = ByteBuffer.allocate(Integer.BYTES + 1); // of PING, of WAIT
    boolean asked;

    Client(int index) {
      this.index = index;
    }
  }

  @Test
  @Timeout(1800)
  void sideBySide() throws Exception {
    System.out.printf(
        "%7s %-8s %-24s %-24s %9s %9s %10s %16s %16s%n",
        "clients",
        "server",
        "storm s, least, most",
        "p99 of clients, ms",
        "CPU us",
        "KiB",
        "idle us/s",
        "alone p50 p99 us",
        "among p50 p99 us");
    for (int clients : CLIENTS) {
      Map<String, List<Measured>> results = new TreeMap<>();
      for (int round = 0; round < ROUNDS; round++) {
        for (String kind : List.of("JGloo", "PyTorch")) {
          try (ChildJvm server = ChildJvm.start(Server.class, kind)) {
            results
                .computeIfAbsent(kind, absent -> new ArrayList<>())
                .add(measure(Integer.parseInt(server.line()), server, clients));
          }
        }
      }
      results.forEach((kind, rounds) -> print(clients, kind, rounds));
    }
  }

  private static Measured measure(int port, ChildJvm server, int count) throws Exception {
    sets(port); // until clients and server are compiled
    Times alone = sets(port);
    List<SocketChannel> channels = new ArrayList<>();
    try {
      State before = State.of(server, "memory");
      long startNanos = System.nanoTime();
      Times clients = storm(port, count, channels);
      double seconds = (System.nanoTime() - startNanos) / 1e9;
      State after = State.of(server, "time");
      State full = State.of(server, "memory");
      State quiet = State.of(server, "time");
      TimeUnit.SECONDS.sleep(IDLE_SECONDS);
      State idle = State.of(server, "time");
      return new Measured(
          seconds,
          clients,
          (after.cpuNanos() - before.cpuNanos()) / 1e3 / count,
          (full.residentKib() - before.residentKib()) / (double) count,
          (idle.cpuNanos() - quiet.cpuNanos()) / 1e3 / IDLE_SECONDS,
          alone,
          sets(port));
    } finally {
      for (SocketChannel channel : channels) {
        channel.close();
      }
    }
  }

  /** Connects all; returns the times of the clients from connect to the end of the wait. */
  private static Times storm(int port, int count, List<SocketChannel> channels) throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    long[] nanos = new long[count];
    long deadlineNanos = System.nanoTime() + STORM_NANOS;
    try (Selector selector = Selector.open()) {
      for (int i = 0, open = count; open > 0; ) {
        if (deadlineNanos - System.nanoTime() < 0) {
          throw new IOException(open + " of " + count + " clients were not answered in time");
        }
        if (i < count) {
          channels.add(connect(address, new Client(i++), selector));
          selector.selectNow(); // those that are connected go on meanwhile
        } else {
          selector.select(1000);
        }
        for (SelectionKey key : selector.selectedKeys()) {
          if (advance(key, count)) {
            Client client = (Client) key.attachment();
            nanos[client.index] = System.nanoTime() - client.startNanos;
            key.interestOps(0);
            open--;
          }
        }
        selector.selectedKeys().clear();
      }
    }
    Arrays.sort(nanos);
    return Times.of(nanos);
  }

  private static SocketChannel connect(InetSocketAddress address, Client client, Selector selector)
      throws IOException {
    SocketChannel channel = SocketChannel.open();
    channel.configureBlocking(false);
    if (channel.connect(address)) {
      channel.register(selector, SelectionKey.OP_READ, client);
      greet(channel, client);
    } else {
      channel.register(selector, SelectionKey.OP_CONNECT, client);
    }
    return channel;
  }

  /** Does the client's next step; returns whether it was the last one. */
  private static boolean advance(SelectionKey key, int count) throws IOException {
    SocketChannel channel = (SocketChannel) key.channel();
    Client client = (Client) key.attachment();
    if (key.isConnectable()) {
      channel.finishConnect();
      key.interestOps(SelectionKey.OP_READ);
      greet(channel, client);
      return false;
    }
    if (channel.read(client.reply) < 0) {
      throw new IOException("client " + client.index + ": the server closed the connection");
    }
    if (client.reply.position() >= Integer.BYTES && !client.asked) {
      client.asked = true;
      write(channel, request("/rank/" + client.index, "/rank/" + (client.index + 1) % count));
    }
    return !client.reply.hasRemaining();
  }

  private static void greet(SocketChannel channel, Client client) throws IOException {
    write(
        channel,
        RawStoreClient.bytes(RawStoreClient.VALIDATE + String.format("0d %08x", client.index)));
  }

  /** A set of one key, a wait for another. */
  private static byte[] request(String own, String awaited) {
    return RawStoreClient.bytes(
        ("01" + RawStoreClient.field(own))
            + (RawStoreClient.u64(VALUE.length) + "00".repeat(VALUE.length))
            + ("06" + RawStoreClient.u64(1) + RawStoreClient.field(awaited)));
  }

  /** Writes a few hundred bytes to a socket whose send buffer is empty. */
  private static void write(SocketChannel channel, byte[] bytes) throws IOException {
    if (channel.write(ByteBuffer.wrap(bytes)) != bytes.length) {
      throw new IOException("the send buffer of a socket has no room for " + bytes.length + " B");
    }
  }

  private static Times sets(int port) {
    try (TcpStoreClient store = TcpStoreClient.connect("127.0.0.1", port, LONG)) {
      long[] nanos = new long[SETS];
      for (int i = 0; i < SETS; i++) {
        long startNanos = System.nanoTime();
        store.set("k", VALUE);
        nanos[i] = System.nanoTime() - startNanos;
      }
      Arrays.sort(nanos);
      return Times.of(nanos);
    }
  }

  private static void print(int clients, String kind, List<Measured> rounds) {
    System.out.printf(
        "%7d %-8s %-24s %-24s %9.1f %9.2f %10.0f %16s %16s%n",
        clients,
        kind,
        spread(rounds, Measured::stormSeconds),
        spread(rounds, round -> round.clients().p99() / 1e6),
        quantile(rounds, Measured::stormCpuMicros, 0.5),
        quantile(rounds, Measured::kib, 0.5),
        quantile(rounds, Measured::idleMicros, 0.5),
        times(rounds, Measured::alone),
        times(rounds, Measured::among));
  }

  private static String times(List<Measured> rounds, Function<Measured, Times> sets) {
    return String.format(
        "%.0f %.0f",
        quantile(rounds, round -> sets.apply(round).p50() / 1e3, 0.5),
        quantile(rounds, round -> sets.apply(round).p99() / 1e3, 0.5));
  }

  private static String spread(List<Measured> rounds, ToDoubleFunction<Measured> figure) {
    return String.format(
        "%.3g (%.3g - %.3g)",
        quantile(rounds, figure, 0.5), quantile(rounds, figure, 0), quantile(rounds, figure, 1));
  }

  private static double quantile(
      List<Measured> rounds, ToDoubleFunction<Measured> figure, double part) {
    double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
    return sorted[(int) (part * (sorted.length - 1))];
  }

  private static double quantile(long[] sorted, double part) {
    return sorted[(int) (part * (sorted.length - 1))];
  }
}
