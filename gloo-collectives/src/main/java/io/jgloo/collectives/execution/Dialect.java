package io.jgloo.collectives.execution;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.CostModel;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.ProvidedAlgorithms;
import io.jgloo.transport.Slot;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Maps each call to an algorithm and to the slots of its messages, as the other ranks expect them.
 *
 * <p><em>Threads</em>: any.
 */
public abstract class Dialect {

  /** For the dialects. */
  protected Dialect() {}

  /** What JGloo's own ranks speak. */
  public static Dialect own() {
    return new OwnDialect();
  }

  /** The algorithm for a call: the one asked for, or the one such ranks would take. */
  public abstract Algorithm algorithm(Call call, Shape shape, CostModel costs);

  /** Why that algorithm is taken, in words that follow its name. */
  public String reason(Call call, Shape shape, CostModel costs) {
    return "the algorithm of ranks on this wire";
  }

  /** Whether messages carry the fingerprint of their call. */
  public abstract boolean fingerprints();

  /**
   * The slot of a call's messages.
   *
   * @param tag -1 if not said
   * @param sequence number of the call in the group
   */
  public abstract long slot(Collective collective, long tag, long sequence);

  /** A barrier that names the missing ranks. */
  public abstract MonitoredBarrier monitoredBarrier(
      Driver driver, Mailbox mailbox, int rank, int size);

  /**
   * Refuses a tag that means nothing to these ranks.
   *
   * @param tag -1 if not said
   */
  public abstract void check(long tag);

  /**
   * The algorithm of the call's name, or the first of its collective if it has none.
   *
   * @param known all algorithms there are
   * @param whose who has no others
   */
  protected static Algorithm named(List<Algorithm> known, Call call, String whose) {
    Collective collective = call.collective();
    List<Algorithm> all = known.stream().filter(each -> each.collective() == collective).toList();
    if (all.isEmpty()) {
      throw new UnsupportedOperationException(
          whose
              + " has no "
              + collective.label()
              + "; it has "
              + known.stream()
                  .map(each -> each.collective().label())
                  .distinct()
                  .collect(Collectors.joining(", ")));
    }
    return all.stream()
        .filter(each -> call.algorithm() == null || each.name().equals(call.algorithm()))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    collective.label()
                        + " algorithm = "
                        + call.algorithm()
                        + "; "
                        + whose
                        + " has "
                        + all.stream().map(Algorithm::name).toList()));
  }

  /** JGloo's own: slots are call numbers. */
  private static final class OwnDialect extends Dialect {
    private static final long FIRST_SLOT = Slot.of(Slot.COLLECTIVE, 0); // of 2^56

    private final ProvidedAlgorithms algorithms = ProvidedAlgorithms.load();

    @Override
    public Algorithm algorithm(Call call, Shape shape, CostModel costs) {
      boolean ordered = call.op() != null && !call.op().commutative();
      return call.algorithm() == null
          ? algorithms.select(shape, costs, ordered)
          : algorithms.named(call.collective(), call.algorithm());
    }

    @Override
    public String reason(Call call, Shape shape, CostModel costs) {
      boolean ordered = call.op() != null && !call.op().commutative();
      String why = call.algorithm() == null ? "the least predicted time" : "named by the caller";
      String predictions = algorithms.predictions(shape, costs, ordered);
      return why + " on " + shape.layout() + " with " + costs + ": " + predictions;
    }

    @Override
    public boolean fingerprints() {
      return true;
    }

    @Override
    public long slot(Collective collective, long tag, long sequence) {
      return FIRST_SLOT | sequence;
    }

    @Override
    public MonitoredBarrier monitoredBarrier(Driver driver, Mailbox mailbox, int rank, int size) {
      return new OwnMonitoredBarrier(driver, mailbox, rank, size);
    }

    @Override
    public void check(long tag) {
      if (tag >= 0) {
        throw new IllegalArgumentException(
            "tag = " + tag + " is for groups on one of C++ Gloo's wires");
      }
    }
  }
}
