package io.jgloo.collectives.cppgloo;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.CostModel;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.execution.Call;
import io.jgloo.collectives.execution.Dialect;
import io.jgloo.collectives.execution.Driver;
import io.jgloo.collectives.execution.Mailbox;
import io.jgloo.collectives.execution.MonitoredBarrier;
import io.jgloo.transport.Wire;

/**
 * The calls as ranks of PyTorch's ProcessGroupGloo expect them: every collective call takes the
 * next tag, and a reduce-scatter is an allreduce.
 */
public final class PyTorchDialect extends Dialect {
  private static final String NAME = "PyTorch's Gloo";

  private final Wire wire;

  public PyTorchDialect(Wire wire) {
    if (!wire.isGloo()) {
      throw new IllegalArgumentException(
          "PyTorch's ranks speak Gloo's wire, but the mesh speaks " + wire);
    }
    this.wire = wire;
  }

  @Override
  public Algorithm algorithm(Call call, Shape shape, CostModel costs) {
    return named(CppGlooAlgorithms.all(), call, NAME);
  }

  @Override
  public boolean fingerprints() {
    return false;
  }

  @Override
  public long slot(Collective collective, long tag, long sequence) {
    return CppGlooDialect.slot(collective, sequence & CppGlooDialect.MOST_TAG);
  }

  @Override
  public MonitoredBarrier monitoredBarrier(Driver driver, Mailbox mailbox, int rank, int size) {
    return new PyTorchMonitoredBarrier(driver, mailbox, rank, size);
  }

  @Override
  public void check(long tag) {
    if (tag >= 0) {
      throw new IllegalArgumentException(
          "tag = " + tag + " cannot be said in a group of PyTorch's, which counts its calls");
    }
  }

  @Override
  public String toString() {
    return NAME + " on " + wire;
  }
}
