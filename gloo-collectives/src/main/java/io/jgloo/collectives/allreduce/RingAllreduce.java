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

/**
 * Ring allreduce: a reduce-scatter lap, then an allgather lap; data moves left, as in Gloo.
 *
 * <p>2(P-1) steps, 2S(P-1)/P bytes per rank, the least possible. A large vector goes round in
 * <em>slices</em>, one segment of every chunk each, of which {@value #SLICES_IN_FLIGHT} are under
 * way at a time, evenly spread over the steps: what was reduced is forwarded while it is in cache,
 * and both directions of the wire stay busy while it is being reduced. A small one is one slice.
 *
 * <p>Chunk k is summed as x(k) + (x(k+1) + ... (x(k-2) + x(k-1))), indices modulo P, and is
 * finished at rank k. Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of
 * workstations", 2009.
 */
public final class RingAllreduce implements Algorithm {
  /** Enough that a slice is always on the wire while another is reduced; more only leave cache. */
  private static final int SLICES_IN_FLIGHT = 4;

  /**
   * Below this, one more message costs more than overlapping saves: two ranks take 340 us for 1 MiB
   * with this, 358 with half, 377 with a quarter and 412 with a sixteenth of it; four ranks that
   * share two cores take 25.7, 33.1 and 37.5 ms for 16 MiB with this, a half and a quarter.
   */
  private static final long SMALLEST_SEGMENT_BYTES = 512 * 1024;

  @Override
  public Collective collective() {
    return Collective.ALLREDUCE;
  }

  @Override
  public String name() {
    return "ring";
  }

  @Override
  public boolean ordered() {
    return false;
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    if (shape.size() == 1) {
      Partition whole = Partition.segments(shape);
      for (int segment = 0; segment < whole.parts(); segment++) {
        program.copyOwn(whole.part(segment));
      }
      return program.schedule();
    }
    Partition chunks = Partition.chunks(shape);
    Lap lap = new Lap(program, shape, rank, chunks, slices(shape, chunks));
    lap.run();
    return program.schedule();
  }

  @Override
  public Cost cost(Shape shape) {
    if (shape.size() == 1 || shape.count() == 0) {
      return Cost.NOTHING;
    }
    Partition chunks = Partition.chunks(shape);
    long others = shape.size() - 1L;
    long slices = slices(shape, chunks);
    long bytes = Math.min(2 * others * chunks.longest(), 2 * shape.bytes());
    return new Cost(
        2 * others, 2 * others * slices, bytes, bytes, others * chunks.longest() / slices);
  }

  private static int slices(Shape shape, Partition chunks) {
    long bounded = (chunks.longest() + shape.segmentBytes() - 1) / shape.segmentBytes();
    long overlapping = Math.min(SLICES_IN_FLIGHT, chunks.longest() / SMALLEST_SEGMENT_BYTES);
    return Math.toIntExact(Math.max(1, Math.max(bounded, overlapping)));
  }

  /** One rank's way through all slices and steps. */
  private record Lap(Program program, Shape shape, int rank, Partition chunks, int slices) {
    /**
     * Slice s takes step t at time s * steps + t * SLICES_IN_FLIGHT. All ranks go by the same
     * times, so what one sends as its n-th message is what its neighbour receives as n-th.
     */
    void run() {
      int steps = 2 * (shape.size() - 1);
      long end = (long) (slices - 1) * steps + (long) (steps - 1) * SLICES_IN_FLIGHT;
      for (long time = 0; time <= end; time++) {
        long first = Math.max(0, (time - (long) (steps - 1) * SLICES_IN_FLIGHT) / steps);
        for (long slice = first; slice < slices && slice * steps <= time; slice++) {
          long since = time - slice * steps;
          if (since % SLICES_IN_FLIGHT == 0 && since / SLICES_IN_FLIGHT < steps) {
            step((int) slice, (int) (since / SLICES_IN_FLIGHT));
          }
        }
      }
    }

    private void step(int slice, int step) {
      int size = shape.size();
      int left = (rank + size - 1) % size;
      int right = (rank + 1) % size;
      if (step == 0) {
        program.send(left, program.own(range(rank + 1, slice)));
      } else {
        program.send(left, range(rank + 1 + step, slice));
      }
      if (step < size - 1) {
        program.recvReduceOwn(right, range(rank + 2 + step, slice), Order.TARGET_FIRST);
      } else {
        program.recv(right, range(rank + 2 + step, slice));
      }
    }

    private Range range(int chunk, int slice) {
      return chunks.split(chunk % shape.size(), slices, shape.segmentBytes()).part(slice);
    }
  }
}
