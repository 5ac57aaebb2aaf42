package io.jgloo.bench.operation;

import io.jgloo.MessageBatch;
import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.bench.operation.Trial.Findings;
import io.jgloo.collectives.CostModel;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.Layout;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.kernel.Kernels;
import io.jgloo.transport.Reduction;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;

/**
 * Measures what the cost model needs to know of a device: alpha, beta and gamma, alpha and beta
 * inside a host if there are several ranks on the first of several hosts, and the gap if there are
 * several hosts and more than two ranks.
 *
 * <p>A line of a table like any other: its times are those of a 4-byte message between rank 0 and
 * the first rank of another host, or rank 1 if there is one host, and where others name their
 * algorithm stands the model, as {@code GroupBuilder.costs} takes it.
 */
final class CalibrateOperation implements Operation {

  @Override
  public String name() {
    return "calibrate";
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
  public Trial trial(ProcessGroup group, Workload work, long count) {
    return new CalibrateTrial(group);
  }

  /**
   * Alpha while all ranks exchange messages in pairs, as they do in a collective: where ranks share
   * cores or a link, a pair alone would be faster. The gap, likewise, is what one more message adds
   * while all ranks send several to several others at once. Beta is that of both directions at
   * once, as the model has it, over vectors too long for a cache; so is gamma. Between hosts one
   * rank of each sends to the next host and receives from the one before, as in a ring, and as much
   * at once as there; the other figures are those of rank 0 and a peer, while the other ranks wait.
   * Medians, for each figure is one of an undisturbed machine, and a mean would be of a disturbed
   * one.
   */
  private static final class CalibrateTrial implements Trial {
    private static final long TAG = 3;
    private static final long BYTES = 8 << 20;

    /**
     * What one more step of a ring of hosts has: beta is the difference of two such steps and one.
     * 8 MiB at once fill the queues of the link, and took twice as long per byte as a ring does.
     */
    private static final long STEP_BYTES = 128 * 1024;

    private static final long FEW_BYTES = 4;
    private static final int EXCHANGES = 15;
    private static final int ECHOES = 2000;
    private static final int ROUNDS = 500;
    private static final int MOST_AT_ONCE = 16;

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

    /** The rank that this one echoes with while others do: of its own host, or of another. */
    private int partner(boolean inside) {
      Layout layout = group.layout();
      int node = layout.node(group.rank());
      int place = layout.localIndex(group.rank());
      int otherNode = inside ? node : node ^ 1;
      int otherPlace = inside ? place ^ 1 : place;
      boolean there = otherNode < layout.nodes() && otherPlace < layout.localSize(otherNode);
      return there ? layout.member(otherNode, otherPlace) : -1;
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
      double[] figures = new double[6];
      measure(remote, figures, 0);
      group.barrier();
      measure(local, figures, 2);
      if (other(remote) >= 0) {
        Reduction sum = Kernels.of(DataType.FLOAT32, ReduceOp.SUM);
        figures[4] =
            median(EXCHANGES, () -> sum.reduce(received.address(), sent.address(), BYTES)) / BYTES;
      }
      int others = Math.min(MOST_AT_ONCE, group.size() - 1);
      group.barrier();
      figures[5] = hasGap(others) ? median(ROUNDS, () -> exchangeWith(others)) : 0;
      group.allreduce(figures, ReduceOp.MAX);
      model = model(figures, others).toString();
    }

    private CostModel model(double[] figures, int others) {
      int inside = local == remote ? 0 : 2;
      double alpha = round(figures[0]);
      double beta = round(figures[1]);
      double gamma = round(figures[4]);
      double localAlpha = round(figures[inside]);
      double localBeta = round(figures[inside + 1]);
      if (!hasGap(others)) {
        return new CostModel(alpha, beta, gamma, localAlpha, localBeta);
      }
      double more = Math.max(0, figures[5] - Math.max(alpha, localAlpha));
      return new CostModel(alpha, beta, gamma, localAlpha, localBeta, round(more / (others - 1)));
    }

    private boolean hasGap(int others) {
      return others > 1 && group.layout().nodes() > 1;
    }

    /** Sends a few bytes to ranks that follow, and receives as much from ranks before. */
    private void exchangeWith(int others) {
      MessageBatch batch = group.batch();
      for (int far = 1; far <= others; far++) {
        int from = Math.floorMod(group.rank() - far, group.size());
        int to = (group.rank() + far) % group.size();
        batch
            .recv(segment(received, far * FEW_BYTES, FEW_BYTES), from, TAG)
            .send(segment(sent, far * FEW_BYTES, FEW_BYTES), to, TAG);
      }
      batch.run();
    }

    /** Alpha of the slowest of all pairs, and beta. */
    private void measure(int with, double[] figures, int at) {
      if (at > 0 && local == remote) {
        return;
      }
      int partner = partner(at > 0 || group.layout().nodes() == 1);
      double alpha = partner < 0 ? 0 : median(ECHOES, () -> echo(partner)) / 2;
      group.barrier();
      Layout layout = group.layout();
      int node = layout.node(group.rank());
      boolean ring = at == 0 && layout.nodes() > 1;
      boolean first = layout.localIndex(group.rank()) == 0;
      int to = !ring ? other(with) : first ? layout.member((node + 1) % layout.nodes(), 0) : -1;
      int from = !ring || !first ? to : layout.member(Math.floorMod(node - 1, layout.nodes()), 0);
      figures[at] = alpha;
      if (to >= 0) {
        long more = ring ? STEP_BYTES : BYTES;
        double some = ring ? exchange(from, to, STEP_BYTES) : figures[at];
        figures[at + 1] = Math.max(0, exchange(from, to, ring ? 2 * more : more) - some) / more;
      }
    }

    /** Seconds that so many bytes take, both directions at once, in messages of algorithms. */
    private double exchange(int from, int to, long bytes) {
      long length = Math.min(bytes, Shape.DEFAULT_SEGMENT_BYTES);
      return median(
          EXCHANGES,
          () -> {
            MessageBatch batch = group.batch();
            for (long at = 0; at < bytes; at += length) {
              batch.recv(segment(received, at, length), from, TAG);
              batch.send(segment(sent, at, length), to, TAG);
            }
            batch.run();
          });
    }

    private static Payload segment(Vector vector, long at, long bytes) {
      return Payload.ofAddress(vector.address() + at, bytes, DataType.UINT8, vector);
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
      if (group.rank() < peer) {
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
