package io.jgloo.collectives.gloo;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.CostModel;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.execution.Call;
import io.jgloo.collectives.execution.Dialect;
import io.jgloo.collectives.execution.Driver;
import io.jgloo.collectives.execution.Mailbox;
import io.jgloo.collectives.execution.MonitoredBarrier;
import io.jgloo.transport.Wire;
import java.util.List;

/**
 * What the ranks of PyTorch's ProcessGroupGloo speak: every collective call takes the next tag, and
 * a reduce-scatter is an allreduce.
 */
public final class PyTorchDialect extends Dialect {
  private static final String NAME = "PyTorch's Gloo";

  /** All but Gloo's classes. */
  private static final List<Algorithm> KNOWN =
      GlooAlgorithms.all().stream()
          .filter(algorithm -> !(algorithm instanceof GlooAlgorithm gloo && gloo.counted()))
          .toList();

  private static final long TAGS = 0xffff_ffffL;
  private static final int TAG_SHIFT = 24;

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
    return named(KNOWN, call, NAME);
  }

  @Override
  public boolean fingerprints() {
    return false;
  }

  @Override
  public long slots(Call call, Algorithm algorithm, Shape shape) {
    return GlooDialect.slot(call.collective(), 0);
  }

  @Override
  public long firstSlot(long slots, long sequence) {
    return slots | (sequence & TAGS) << TAG_SHIFT;
  }

  @Override
  public MonitoredBarrier monitoredBarrier(Driver driver, Mailbox mailbox, int rank, int size) {
    return new PyTorchMonitoredBarrier(driver, mailbox, rank, size);
  }

  @Override
  public void check(long tag, long slot) {
    if (tag >= 0 || slot >= 0) {
      throw new IllegalArgumentException(
          (tag >= 0 ? "tag = " + tag : "slot = " + slot)
              + " cannot be said in a group of PyTorch's, which counts its calls");
    }
  }

  @Override
  public long nextSlot(long count) {
    throw new UnsupportedOperationException("PyTorch uses none of the slots of Gloo's classes");
  }

  @Override
  public String toString() {
    return NAME + " on " + wire;
  }
}
