package io.jgloo.collectives.algorithm.pattern;

import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Program.Order;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Shape;
import java.util.List;

/**
 * An exchange in two steps among ranks that reach each other in memory: each owner of a column
 * reduces it from all members, then sends it to all members.
 *
 * <p>Columns are cut in slices, so that what was reduced can be sent while other slices arrive.
 */
public final class DirectExchange {
  private static final int SLICES = 4;
  private static final long SMALLEST_SLICE_BYTES = 512 * 1024;

  private final Program program;
  private final List<Integer> members;
  private final int index;
  private final Partition columns;
  private final int slices;

  /**
   * @param members the ranks, of which the first own one column each
   * @param columns of the vector; at most as many as members
   */
  public DirectExchange(Program program, List<Integer> members, Partition columns) {
    this.program = program;
    this.members = members;
    this.index = members.indexOf(program.rank());
    this.columns = columns;
    this.slices = slices(program.shape(), columns.longest());
  }

  private static int slices(Shape shape, long columnBytes) {
    long overlapping = Math.min(SLICES, columnBytes / SMALLEST_SLICE_BYTES);
    return Math.toIntExact(Math.max(1, Math.max(shape.messages(columnBytes), overlapping)));
  }

  /** Number of slices. */
  public int slices() {
    return slices;
  }

  /** Leaves a slice of each column reduced in the result of its owner. */
  public void reduce(int slice) {
    for (int far = 1; far < members.size(); far++) {
      int to = (index + far) % members.size();
      if (to < columns.parts()) {
        program.send(members.get(to), program.own(range(to, slice)));
      }
    }
    if (index >= columns.parts()) {
      return;
    }
    Range own = range(index, slice);
    for (int far = 1; far < members.size(); far++) {
      int from = members.get((index + members.size() - far) % members.size());
      if (far == 1) {
        program.recvReduceOwn(from, own, Order.TARGET_FIRST);
      } else {
        program.recvReduce(from, program.result(own), Order.TARGET_FIRST);
      }
    }
  }

  /** Sends a slice of each column from the result of its owner to all members. */
  public void publish(int slice) {
    for (int far = 1; far < members.size(); far++) {
      int to = members.get((index + far) % members.size());
      int from = (index + members.size() - far) % members.size();
      if (index < columns.parts()) {
        program.send(to, program.result(range(index, slice)));
      }
      if (from < columns.parts()) {
        program.recv(members.get(from), program.result(range(from, slice)));
      }
    }
  }

  private Range range(int column, int slice) {
    return columns.split(column, slices, program.shape().segmentBytes()).part(slice);
  }

  /**
   * What one of the two steps costs among so many members, without what is reduced, where all
   * slices but one pass while others are on the link of the host.
   */
  public static Cost costBehindLink(Shape shape, int members, long columnBytes) {
    long others = members - 1L;
    long slice = columnBytes / slices(shape, columnBytes);
    long messages = others * shape.messages(columnBytes);
    return new Cost(others, messages, others * columnBytes, others * slice, 0).inside();
  }
}
