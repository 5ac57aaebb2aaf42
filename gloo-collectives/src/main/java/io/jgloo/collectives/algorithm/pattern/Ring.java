package io.jgloo.collectives.algorithm.pattern;

import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Program.Order;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Shape;

/**
 * One rank's way round the ring: a reduce-scatter lap, an allgather lap, or both; data moves left,
 * as in Gloo.
 *
 * <p>A large vector goes round in <em>slices</em>, one segment of every chunk each, of which a few
 * are under way at a time, evenly spread over the steps: what was reduced is forwarded while it is
 * in cache, and both directions of the wire stay busy while it is being reduced. A small one is one
 * slice.
 */
public final class Ring {
  /** Enough that a slice is always on the wire while another is reduced; more only leave cache. */
  private static final int SLICES_IN_FLIGHT = 4;

  /**
   * The same between two ranks, where a slice waits for one neighbour only: 4, 16 and 64 MiB take
   * 0.90, 0.93 and 0.95 of the time with four; four ranks are as fast or slower with two.
   */
  private static final int SLICES_OF_TWO = 2;

  /**
   * Below this, one more message costs more than overlapping saves: two ranks take 340 us for 1 MiB
   * with this, 358 with half, 377 with a quarter and 412 with a sixteenth of it; four ranks that
   * share two cores take 25.7, 33.1 and 37.5 ms for 16 MiB with this, a half and a quarter.
   */
  private static final long SMALLEST_SEGMENT_BYTES = 512 * 1024;

  private final Program program;
  private final Shape shape;
  private final int rank;
  private final Partition chunks;
  private final int slices;
  private final int inFlight;
  private final int reduceSteps;
  private final int steps;

  /**
   * A way round the ring of at least two ranks.
   *
   * @param slices at least; more if messages would be too long
   * @param reduces whether there is a reduce-scatter lap
   * @param gathers whether there is an allgather lap
   */
  public Ring(
      Program program, Shape shape, int rank, int slices, boolean reduces, boolean gathers) {
    this.program = program;
    this.shape = shape;
    this.rank = rank;
    this.chunks = Partition.chunks(shape);
    this.slices = Math.max(slices, slices(shape));
    this.inFlight = inFlight(shape);
    this.reduceSteps = reduces ? shape.size() - 1 : 0;
    this.steps = reduceSteps + (gathers ? shape.size() - 1 : 0);
  }

  /** How many slices there are unless more are asked for. */
  static int slices(Shape shape) {
    long longest = Partition.chunks(shape).longest();
    long overlapping = Math.min(inFlight(shape), longest / SMALLEST_SEGMENT_BYTES);
    return Math.toIntExact(Math.max(1, Math.max(shape.messages(longest), overlapping)));
  }

  private static int inFlight(Shape shape) {
    return shape.size() == 2 ? SLICES_OF_TWO : SLICES_IN_FLIGHT;
  }

  /**
   * What that many laps cost, of which the first may reduce. A step of a slice passes while the
   * other slices are on the link. More slices than needed were measured to save nothing inside a
   * host (see above), so no reduction is taken to be hidden by them.
   */
  public static Cost cost(Shape shape, int atLeast, int laps, boolean reduces) {
    if (shape.size() == 1 || shape.bytes() == 0) {
      return Cost.NOTHING;
    }
    long longest = Partition.chunks(shape).longest();
    long others = shape.size() - 1L;
    long needed = slices(shape);
    long slices = Math.max(atLeast, needed);
    long passed = laps * others;
    long steps = passed * slices / needed; // what is sent without need counts as a step
    long bytes = Math.min(passed * longest, laps * shape.bytes());
    long reduced = reduces ? others * longest / needed : 0;
    return overlapping(new Cost(steps, passed * slices, bytes, bytes, reduced), passed, slices);
  }

  /** A cost with chunks passed on so many times, each in so many pieces that follow each other. */
  public static Cost overlapping(Cost cost, long passed, long pieces) {
    long others = (passed - 1) * cost.pathBytes() / passed * (pieces - 1) / pieces;
    return cost.queueing(cost.steps() - passed).overlapping(passed - 1, others);
  }

  /**
   * Slice s takes step t at time s * apart + t * inFlight. All ranks go by the same times, so what
   * one sends as its n-th message is what its neighbour receives as n-th. Slices that are not
   * needed follow each other through each step.
   */
  public void run() {
    int apart = slices > slices(program.shape()) ? 1 : steps;
    long end = (long) (slices - 1) * apart + (long) (steps - 1) * inFlight;
    for (long time = 0; time <= end; time++) {
      long first = Math.max(0, (time - (long) (steps - 1) * inFlight) / apart);
      for (long slice = first; slice < slices && slice * apart <= time; slice++) {
        long since = time - slice * apart;
        if (since % inFlight == 0 && since / inFlight < steps) {
          step((int) slice, (int) (since / inFlight));
        }
      }
    }
    boolean reducedInPlace = steps == reduceSteps && shape.inPlace();
    if (reduceSteps == 0 || reducedInPlace) {
      program.copyOwn(chunks.part(rank));
    }
  }

  private void step(int slice, int step) {
    int size = shape.size();
    int left = (rank + size - 1) % size;
    int right = (rank + 1) % size;
    int moved = step + size - reduceSteps; // an allgather begins with this rank's own chunk
    Range sent = range(rank + moved, slice);
    Range received = range(rank + moved + 1, slice);
    program.send(left, step == 0 ? program.own(sent) : place(sent, slice, step - 1));
    if (step < reduceSteps) {
      program.recvReduceOwn(right, received, place(received, slice, step), Order.TARGET_FIRST);
    } else {
      program.recv(right, place(received, slice, step));
    }
  }

  /** Where what is received in a step goes: without an allgather only the last is to be kept. */
  private Range place(Range range, int slice, int step) {
    if (steps > reduceSteps) {
      return program.result(range);
    }
    if (shape.inPlace()) {
      return program.own(range);
    }
    if (step == steps - 1) {
      return program.result(range);
    }
    long slot = (chunks.longest() / slices + shape.elementBytes() + 2L * 64) / 64 * 64;
    return new Range(Space.SCRATCH, (slice % inFlight * 2 + step % 2) * slot, range.length());
  }

  private Range range(int chunk, int slice) {
    return chunks.split(chunk % shape.size(), slices, shape.segmentBytes()).part(slice);
  }
}
