package io.jgloo.bench.operation;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.collectives.CostModel;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.kernel.Kernels;
import io.jgloo.transport.Reduction;
import io.jgloo.transport.memory.Memory;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;

/**
 * The calibration at one rank.
 *
 * <p>Medians, for each figure is one of an undisturbed machine, and a mean would be of a disturbed
 * one. Beta is that of both directions at once, as the model has it, over vectors too long for a
 * cache; so is gamma.
 */
final class CalibrateTrial implements Trial {

  private static final long TAG = 3;
  private static final long BYTES = 8 << 20;
  private static final int EXCHANGES = 15;
  private static final int ECHOES = 2000;

  private final ProcessGroup group;
  private final boolean takesPart;
  private final int peer;
  private final Payload small = Payload.of(new int[1]);
  private final long sent = Memory.allocate(BYTES, Memory.CACHE_LINE);
  private final long received = Memory.allocate(BYTES, Memory.CACHE_LINE);
  private String model = "";

  CalibrateTrial(Seat seat) {
    group = seat.group();
    takesPart = seat.rank() < 2;
    peer = 1 - seat.rank();
    Memory.setZero(sent, BYTES);
    Memory.setZero(received, BYTES);
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
    if (!takesPart) {
      return;
    }
    int mark = 1000 * round + group.rank();
    int[] x = {mark};
    int[] y = {-1};
    group.sendRecv(Payload.of(x), peer, Payload.of(y), peer, TAG);
    if (y[0] != 1000 * round + peer) {
      findings.wrong("a message of rank " + peer + " says " + y[0]);
    }
  }

  /** The figures, slowest rank first; all ranks know the model then. */
  @Override
  public void settle() {
    double[] figures = new double[3];
    if (takesPart) {
      figures[0] = median(ECHOES, this::call) / 2;
      Payload out = Payload.ofAddress(sent, BYTES, DataType.UINT8, this);
      Payload in = Payload.ofAddress(received, BYTES, DataType.UINT8, this);
      double exchange = median(EXCHANGES, () -> group.sendRecv(out, peer, in, peer, TAG));
      figures[1] = Math.max(0, exchange - figures[0]) / BYTES;
      Reduction sum = Kernels.of(DataType.FLOAT32, ReduceOp.SUM);
      figures[2] = median(EXCHANGES, () -> sum.reduce(received, sent, BYTES)) / BYTES;
    }
    group.allreduce(figures, ReduceOp.MAX);
    model = new CostModel(round(figures[0]), round(figures[1]), round(figures[2])).toString();
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
    if (group.rank() == 0) {
      group.send(small, peer, TAG);
      group.recv(small, peer, TAG);
    } else if (takesPart) {
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
    Memory.free(sent);
    Memory.free(received);
  }
}
