package io.jgloo.bench.operation;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.CostModel;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.Layout;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.kernel.Kernels;
import io.jgloo.transport.Reduction;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Optional;

/**
 * Measures what the cost model needs to know of a device: alpha, beta and gamma, and alpha and beta
 * inside a host if there are several ranks on the first of several hosts.
 *
 * <p>A line of a table like any other: its times are those of a 4-byte message between rank 0 and
 * the first rank of another host, or rank 1 if there is one host, and where others name their
 * algorithm stands the model, as {@code GroupBuilder.costs} takes it. Further ranks take no part.
 */
final class CalibrateOperation implements Operation {

  @Override
  public String name() {
    return "calibrate";
  }

  @Override
  public Optional<Collective> collective() {
    return Optional.empty();
  }

  @Override
  public boolean sized() {
    return false;
  }

  @Override
  public boolean amongAll() {
    return false;
  }

  @Override
  public int leastRanks() {
    return 2;
  }

  @Override
  public int waysPerCall() {
    return 2;
  }

  @Override
  public double busFactor(int size) {
    return 0;
  }

  @Override
  public Trial trial(ProcessGroup group, Workload work, long count) {
    return new CalibrateTrial(group);
  }

  /**
   * Medians, for each figure is one of an undisturbed machine, and a mean would be of a disturbed
   * one. Beta is that of both directions at once, as the model has it, over vectors too long for a
   * cache; so is gamma.
   */
  private static final class CalibrateTrial implements Trial {
    private static final long TAG = 3;
    private static final long BYTES = 8 << 20;
    private static final int EXCHANGES = 15;
    private static final int ECHOES = 2000;

    private final ProcessGroup group;
    private final int remote;
    private final int local;
    private final Payload small = Payload.of(new int[1]);
    private final Vector sent = Vector.zeros(DataType.UINT8, BYTES);
    private final Vector received = Vector.zeros(DataType.UINT8, BYTES);
    private String model = "";

    CalibrateTrial(ProcessGroup group) {
      this.group = group;
      Layout layout = group.layout();
      remote = layout.nodes() == 1 ? 1 : layout.member(1, 0);
      local = layout.hasTiers() && layout.localSize(0) > 1 ? layout.member(0, 1) : remote;
    }

    /** The other one of rank 0 and a peer, or -1 if this rank is neither. */
    private int other(int peer) {
      int rank = group.rank();
      return rank == 0 ? peer : rank == peer ? 0 : -1;
    }

    @Override
    public String algorithm() {
      return model;
    }

    @Override
    public boolean timed() {
      return group.rank() == 0;
    }

    @Override
    public void verify(int round, Findings findings) {
      int peer = other(remote);
      if (peer < 0) {
        return;
      }
      int[] x = {1000 * round + group.rank()};
      int[] y = {-1};
      group.sendRecv(Payload.of(x), peer, Payload.of(y), peer, TAG);
      if (y[0] != 1000 * round + peer) {
        findings.wrong("a message of rank " + peer + " says " + y[0]);
      }
    }

    /** The figures, slowest rank first; all ranks know the model then. */
    @Override
    public void settle() {
      double[] figures = new double[5];
      measure(remote, figures, 0);
      group.barrier();
      measure(local, figures, 2);
      if (other(remote) >= 0) {
        Reduction sum = Kernels.of(DataType.FLOAT32, ReduceOp.SUM);
        figures[4] =
            median(EXCHANGES, () -> sum.reduce(received.address(), sent.address(), BYTES)) / BYTES;
      }
      group.allreduce(figures, ReduceOp.MAX);
      int inside = local == remote ? 0 : 2;
      model =
          new CostModel(
                  round(figures[0]),
                  round(figures[1]),
                  round(figures[4]),
                  round(figures[inside]),
                  round(figures[inside + 1]))
              .toString();
    }

    /** Alpha and beta of rank 0 and a peer. */
    private void measure(int with, double[] figures, int at) {
      int peer = other(with);
      if (peer >= 0 && (at == 0 || local != remote)) {
        Payload out = sent.payload();
        Payload in = received.payload();
        figures[at] = median(ECHOES, () -> echo(peer)) / 2;
        double exchange = median(EXCHANGES, () -> group.sendRecv(out, peer, in, peer, TAG));
        figures[at + 1] = Math.max(0, exchange - figures[at]) / BYTES;
      }
    }

    /** Three digits; the fourth is another at the next run. */
    private static double round(double figure) {
      return new BigDecimal(figure).round(new MathContext(3)).doubleValue();
    }

    /** Seconds of the median call, the first tenth left out: it warms up. */
    private static double median(int calls, Runnable call) {
      int warm = Math.max(1, calls / 10);
      long[] nanos = new long[calls];
      for (int i = -warm; i < calls; i++) {
        long start = System.nanoTime();
        call.run();
        if (i >= 0) {
          nanos[i] = System.nanoTime() - start;
        }
      }
      Arrays.sort(nanos);
      return nanos[calls / 2] / 1e9;
    }

    @Override
    public void call() {
      int peer = other(remote);
      if (peer >= 0) {
        echo(peer);
      }
    }

    private void echo(int peer) {
      if (group.rank() == 0) {
        group.send(small, peer, TAG);
        group.recv(small, peer, TAG);
      } else {
        group.recv(small, peer, TAG);
        group.send(small, peer, TAG);
      }
    }

    @Override
    public void checkSettled(Findings findings) {
      if (model.isEmpty()) {
        findings.wrong("nothing was measured");
      }
    }

    @Override
    public void close() {
      sent.close();
      received.close();
    }
  }
}
