package io.jgloo.collectives.allreduce;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Order;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import java.util.function.Consumer;

/**
 * Halving-doubling allreduce: a reduce-scatter that halves what a rank is responsible for in each
 * round, then the same rounds backwards as an allgather.
 *
 * <p>2 ceil(log2(P)) steps, 2S(P-1)/P bytes per rank, for any P. A rank that is responsible for w
 * chunks from its own onwards keeps the first h = ceil(w/2) and sends the others h ranks on, where
 * they are the first. Rabenseifner's exchange with the rank at distance h is this for powers of
 * two; for others it must fold ranks, which costs 2S bytes and two steps more. Träff, "Optimal,
 * non-pipelined reduce-scatter and allreduce algorithms", 2024; Rabenseifner, "Optimization of
 * collective reduction operations", 2004.
 */
public final class HalvingDoublingAllreduce implements Algorithm {
  @Override
  public Collective collective() {
    return Collective.ALLREDUCE;
  }

  @Override
  public String name() {
    return "halvingDoubling";
  }

  @Override
  public boolean ordered() {
    return false;
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    Circle circle = new Circle(shape, rank, Partition.chunks(shape));
    circle.reduceScatter(program, shape.size());
    circle.allgather(program, shape.size());
    return program.schedule();
  }

  @Override
  public Cost cost(Shape shape) {
    if (shape.size() == 1 || shape.count() == 0) {
      return Cost.NOTHING;
    }
    long chunk = Partition.chunks(shape).longest();
    long messages = 0;
    long steps = 0;
    for (int width = shape.size(); width > 1; width -= width / 2) {
      long sent = width / 2;
      long segments = (sent * chunk + shape.segmentBytes() - 1) / shape.segmentBytes();
      messages += 2 * (segments + (sent > 1 ? 1 : 0)); // one more where the range wraps round
      steps += 2;
    }
    long reduced = (shape.size() - 1) * chunk;
    return new Cost(steps, messages, 2 * reduced, 2 * reduced, reduced);
  }

  /**
   * The chunks as seen from one rank: its own first, the others in ascending order, round again.
   */
  private record Circle(Shape shape, int rank, Partition chunks) {
    /** Leaves this rank's own chunk, the first of the width, reduced. */
    void reduceScatter(Program program, int width) {
      boolean first = width == shape.size();
      if (width == 1) {
        if (first) {
          each(0, 1, program::copyOwn);
        }
        return;
      }
      int kept = width - width / 2;
      int from = peer(-kept);
      each(kept, width, range -> program.send(peer(kept), first ? program.own(range) : range));
      each(
          0,
          width - kept,
          range -> {
            if (first) {
              program.recvReduceOwn(from, range, Order.TARGET_FIRST);
            } else {
              program.recvReduce(from, range, Order.TARGET_FIRST);
            }
          });
      if (first) {
        each(width - kept, kept, program::copyOwn); // the odd chunk out met no other's yet
      }
      reduceScatter(program, kept);
    }

    /** Fetches what was sent away, last sent first. */
    void allgather(Program program, int width) {
      if (width == 1) {
        return;
      }
      int kept = width - width / 2;
      allgather(program, kept);
      each(0, width - kept, range -> program.send(peer(-kept), range));
      each(kept, width, range -> program.recv(peer(kept), range));
    }

    private int peer(int distance) {
      return Math.floorMod(rank + distance, shape.size());
    }

    /** Visits chunks {@code first} up to {@code end} in segments, cut alike on all ranks. */
    private void each(int first, int end, Consumer<Range> visit) {
      int size = shape.size();
      int start = (rank + first) % size;
      int until = start + end - first;
      segments(start, Math.min(until, size), visit);
      segments(0, Math.max(0, until - size), visit);
    }

    private void segments(int first, int end, Consumer<Range> visit) {
      if (first < end) {
        Partition segments = chunks.segments(chunks.parts(first, end), shape.segmentBytes());
        for (int segment = 0; segment < segments.parts(); segment++) {
          visit.accept(segments.part(segment));
        }
      }
    }
  }
}
