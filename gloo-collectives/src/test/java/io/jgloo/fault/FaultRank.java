package io.jgloo.fault;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jgloo.CallOptions;
import io.jgloo.ProcessGroup;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.transport.AbortedException;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.OperationTimeoutException;
import io.jgloo.transport.PeerLostException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The program of one rank: makes verified calls in a group until one fails or it reads the line
 * stop, then, unless it was to be the victim, goes on in a group of the others.
 *
 * <p>Meanwhile those who are not the victim work in another group of their own, a bystander, which
 * must not notice.
 *
 * <p>Arguments: rank, size, store, timeout in milliseconds, kind of {@link Calls}, bytes, victim,
 * attribute {@code memory} of the device. Exits with {@link #LEAK} if shared memory is left. Hears
 * {@code stop} between two calls, and {@code exit}; its parent's end is its own.
 */
final class FaultRank {

  static final String WORKS = "works";
  static final String FAILED = "failed";
  static final String STOPPED = "stopped";
  static final String REUNITED = "reunited";
  static final String BYSTANDER = "bystander";

  /** Exit code of a rank that has closed all, but has shared memory still. */
  static final int LEAK = 5;

  private static final Duration CONNECTING = Duration.ofSeconds(50);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int ROUNDS_AFTER = 100;

  private static volatile boolean stopping;

  private FaultRank() {}

  public static void main(String[] arguments) throws Exception {
    run(arguments);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (sharesMemory()) {
      System.gc(); // allocated memory stays mapped while a buffer of it is reachable
      if (System.nanoTime() - deadline > 0) {
        System.exit(LEAK);
      }
    }
  }

  private static void run(String[] arguments) throws Exception {
    int rank = Integer.parseInt(arguments[0]);
    int size = Integer.parseInt(arguments[1]);
    Duration timeout = Duration.ofMillis(Long.parseLong(arguments[3]));
    boolean allocates = arguments[7].equals("allocated");
    int victim = Integer.parseInt(arguments[6]);
    Thread listener = new Thread(FaultRank::listen, "listener");
    listener.setDaemon(true);
    listener.start();
    int rankAfter = rank < victim ? rank : rank - 1;
    DeviceOptions loopback =
        DeviceOptions.DEFAULTS
            .with("bind", "127.0.0.1")
            .with("memory", allocates ? "require" : arguments[7]);
    try (Store store = Stores.open(arguments[2], rank, CONNECTING);
        Device device = Devices.open("tcp", loopback)) {
      ProcessGroup group = connect("work", rank, size, 0, PATIENCE, store, device);
      int bytes = Integer.parseInt(arguments[5]);
      Calls calls =
          allocates
              ? Calls.of(arguments[4], group.allocate(bytes).buffer())
              : Calls.of(arguments[4], bytes);
      if (rank == victim) {
        work(group, timeout, calls);
        return;
      }
      Bystander bystander =
          new Bystander(connect("bystander", rankAfter, size - 1, 0, PATIENCE, store, device));
      boolean failed = work(group, timeout, calls);
      long rounds = bystander.rounds();
      if (failed) {
        goOn(connect("work", rankAfter, size - 1, 1, PATIENCE, store, device));
      }
      bystander.finish();
      say(BYSTANDER, bystander.rounds() - rounds);
    }
  }

  /** Whether a segment or an extent is mapped or open. */
  private static boolean sharesMemory() {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      boolean mapped = Files.readString(Path.of("/proc/self/maps")).contains("memfd:jgloo");
      return mapped || descriptors.anyMatch(FaultRank::isSegment);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isSegment(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().contains("memfd:jgloo");
    } catch (IOException e) {
      return false; // closed since
    }
  }

  private static void listen() {
    try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
      for (String line = input.readLine(); line != null; line = input.readLine()) {
        if (line.equals("exit")) {
          System.exit(0);
        }
        stopping |= line.equals("stop");
      }
    } catch (IOException e) {
      System.err.println(e); // as good as the end of the parent
    }
    Runtime.getRuntime().halt(9);
  }

  private static ProcessGroup connect(
      String name, int rank, int size, long epoch, Duration timeout, Store store, Device device) {
    return ProcessGroup.builder()
        .name(name)
        .rank(rank)
        .size(size)
        .epoch(epoch)
        .timeout(timeout)
        .connectTimeout(CONNECTING)
        .store(store)
        .device(device)
        .connect();
  }

  /**
   * Makes calls until one fails or all ranks stop; whether one failed. Closes the group. The first
   * calls may take longer than the timeout, as processes start at different times.
   */
  private static boolean work(ProcessGroup group, Duration timeout, Calls calls) {
    int round = 0;
    ProcessGroup timed = group.with(CallOptions.DEFAULTS.timeout(timeout));
    try (group) {
      for (boolean last = false; !last; round++) {
        ProcessGroup now = round <= 2 ? group : timed;
        calls.make(now, round);
        last = Calls.anyWantsTo(stopping, now);
        if (round == 2) {
          say(WORKS);
        }
      }
    } catch (JGlooException e) {
      long now = System.nanoTime();
      say(FAILED, now, e.getClass().getSimpleName(), blamed(e), e.getMessage());
      return true;
    }
    say(STOPPED, round);
    return false;
  }

  /** The ranks that a failure names. */
  private static List<Integer> blamed(JGlooException e) {
    if (e instanceof PeerLostException lost) {
      return List.of(lost.peer());
    }
    if (e instanceof OperationTimeoutException late) {
      return late.missingPeers();
    }
    return e instanceof AbortedException aborted ? List.of(aborted.origin()) : List.of();
  }

  private static void goOn(ProcessGroup group) {
    try (group) {
      for (String kind : List.of("allreduce", "broadcast", "barrier")) {
        Calls calls = Calls.of(kind, 4000);
        for (int round = 0; round < ROUNDS_AFTER; round++) {
          calls.make(group, round);
        }
      }
    }
    say(REUNITED, group.size());
  }

  private static void say(Object... words) {
    StringBuilder line = new StringBuilder();
    for (Object word : words) {
      line.append(word).append(' ');
    }
    synchronized (System.out) {
      System.out.println(line.toString().trim().replace('\n', ' '));
    }
  }
}
