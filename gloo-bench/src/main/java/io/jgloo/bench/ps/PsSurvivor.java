package io.jgloo.bench.ps;

import io.jgloo.bench.command.ExitCode;
import io.jgloo.ps.KvServer;
import io.jgloo.ps.KvWorker;
import io.jgloo.ps.PsNode;
import io.jgloo.ps.PsOptions;
import io.jgloo.ps.handle.Handles;
import io.jgloo.ps.kv.KvCall;
import io.jgloo.ps.kv.Slicer;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.node.NodeId;
import io.jgloo.ps.node.NodeListener;
import io.jgloo.ps.node.Role;
import io.jgloo.ps.node.Topology;
import io.jgloo.transport.JGlooException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * A node of a system of which one is killed: a worker pushes and pulls at all times and waits at
 * barriers.
 *
 * <p>It prints {@code @NODE|SUBJECT|OUTCOME} when something changes, and ends with its standard
 * input. {@link #COUNT} there starts counting calls, {@link #REPORT} prints what was counted.
 */
final class PsSurvivor {

  static final int COUNT = 'c';
  static final int REPORT = 'r';
  static final String EVENT = "@";
  static final String STARTED = "started";
  static final String REPORTED = "reported";
  static final String WRONG = "WRONG";
  static final String LOST = "lost";
  static final String SUCCEED = "succeed";

  private static final long PAUSE_NANOS = 200_000_000;

  /** Between two calls: the cores are for those that notice who is lost. */
  private static final long BETWEEN_NANOS = 1_000_000;

  private static final int KEYS = 10_000;
  private static final Duration BARRIER = Duration.ofSeconds(2);
  private static final KvCall CALL = KvCall.DEFAULTS;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final PsNode node;
  private final Role role;

  /** What a worker does again and again. */
  private final class Loop implements Runnable {
    private final String subject;
    private final Supplier<String> attempt;
    private String last = "";
    private long count;
    private long slowest;

    /**
     * @param attempt does it once; the kind of its outcome is what comes before the first colon
     */
    Loop(String subject, Supplier<String> attempt) {
      this.subject = subject;
      this.attempt = attempt;
    }

    @Override
    public void run() {
      while (true) {
        long begin = System.nanoTime();
        ended(attempt.get(), System.nanoTime() - begin);
        LockSupport.parkNanos(BETWEEN_NANOS);
      }
    }

    private synchronized void ended(String outcome, long nanos) {
      count++;
      slowest = Math.max(slowest, nanos);
      if (!last.isEmpty() && !kind(outcome).equals(kind(last))) {
        event(subject, outcome);
      }
      last = outcome;
      notifyAll();
    }

    private static String kind(String outcome) {
      return outcome.split(":", 2)[0];
    }

    synchronized void reset() {
      count = 0;
      slowest = 0;
    }

    /** Reports the outcome of an attempt that begins from now on. */
    synchronized void report() throws InterruptedException {
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      long later = count + 2;
      while (count < later && System.nanoTime() < deadline) {
        TimeUnit.NANOSECONDS.timedWait(this, deadline - System.nanoTime());
      }
      double ms = slowest / 1e6;
      event(
          subject,
          String.format(Locale.ROOT, "at the end, after %d, slowest %.0f ms: %s", count, ms, last));
    }
  }

  /** Calls to one server, on keys of this worker. */
  private final class Calls {
    private final int server;
    private final KvWorker<float[]> worker;
    private final long[] keys = new long[KEYS];
    private final float[] ones = new float[KEYS];
    private final float[] values = new float[KEYS];
    private int applied;
    private long failed = -1; // timestamp of a call that is to be repeated

    Calls(int server) {
      this.server = server;
      worker = KvWorker.open(node, 0, server, ValueType.FLOATS, Slicer.RANGE);
      long first = server * Long.divideUnsigned(-1L, node.topology().servers());
      Arrays.setAll(keys, i -> first + (long) KEYS * node.id().rank() + i);
      Arrays.fill(ones, 1);
    }

    String attempt() {
      try {
        if (failed < 0) {
          failed = worker.pushPull(keys, ones, values, CALL);
          worker.waitFor(failed);
        } else {
          node.awaitUp(NodeId.server(server), BARRIER);
          worker.waitFor(worker.pushPull(keys, ones, values, CALL.repeating(failed)));
        }
      } catch (JGlooException e) {
        return e.getClass().getSimpleName();
      }
      failed = -1;
      applied++;
      for (float value : values) {
        if (value != applied) {
          return WRONG + ": value " + value + " after " + applied + " pushes";
        }
      }
      return SUCCEED;
    }
  }

  /** A barrier of the workers, and a pause. */
  private String barrier() {
    try {
      node.barrier(Topology.WORKERS, BARRIER);
    } catch (JGlooException e) {
      return e.getClass().getSimpleName() + ": " + e.getMessage();
    } finally {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return SUCCEED;
  }

  PsSurvivor(PsOptions options) {
    node = new PsNode(options);
    role = options.role();
  }

  private void event(String subject, String outcome) {
    System.out.println(EVENT + node.id() + "|" + subject + "|" + outcome);
  }

  int run() throws IOException, InterruptedException {
    try (node) {
      if (role == Role.SERVER) {
        KvServer.open(node, 0, ValueType.FLOATS, shard -> Handles.sum(ValueType.FLOATS, 1));
      }
      node.listen(
          new NodeListener() {
            @Override
            public void up(NodeId other, long incarnation) {
              event(other.toString(), "is there");
            }

            @Override
            public void down(NodeId other, long incarnation, JGlooException cause) {
              event(other.toString(), LOST + ": " + cause.getMessage());
            }
          });
      node.start();
      List<Loop> loops = new ArrayList<>();
      if (role == Role.WORKER) {
        for (int server = 0; server < node.topology().servers(); server++) {
          loops.add(new Loop("calls to server " + server, new Calls(server)::attempt));
        }
        loops.add(new Loop("barrier of the workers", this::barrier));
      }
      for (Loop loop : loops) {
        Thread thread = new Thread(loop, loop.subject);
        thread.setDaemon(true);
        thread.start();
      }
      System.out.println(STARTED);
      for (int order = System.in.read(); order >= 0; order = System.in.read()) {
        for (Loop loop : loops) {
          if (order == COUNT) {
            loop.reset();
          } else if (order == REPORT) {
            loop.report();
          }
        }
        if (order == REPORT) {
          System.out.println(REPORTED);
        }
      }
    }
    return ExitCode.VERIFIED;
  }
}
