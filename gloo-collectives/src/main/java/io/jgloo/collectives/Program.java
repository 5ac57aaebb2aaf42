package io.jgloo.collectives;

import io.jgloo.collectives.Program.Order;
import io.jgloo.collectives.Range.Space;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds a schedule from steps written in their natural, sequential order.
 *
 * <p>What may overlap is derived: an operation waits for the earlier ones whose bytes it needs or
 * would overwrite, and for nothing else; messages between two ranks are issued in the order in
 * which they are written here, one order for each direction. Ranges longer than the shape's bound
 * for one message are done in segments; ranges without bytes make no message, which both sides
 * know, since both cut the vector alike.
 *
 * <p><em>Threads</em>: one. <em>Fails</em>: {@link IllegalArgumentException} for ranges outside the
 * vector, peers outside the group, two lengths that differ.
 */
public final class Program {
  private static final Range NOTHING = new Range(Space.OUTPUT, 0, 0);

  private final Shape shape;
  private final int rank;
  private final Steps steps;
  private final @Nullable View view; // null for the whole group

  /**
   * An empty program of one rank, for an algorithm of the given collective; throws if the shape is
   * of another.
   */
  public Program(Algorithm algorithm, Shape shape, int rank) {
    this(shape, rank);
    if (shape.collective() != algorithm.collective()) {
      throw new IllegalArgumentException(algorithm.name() + " for shape = " + shape);
    }
  }

  /** An empty program of one rank. */
  public Program(Shape shape, int rank) {
    if (rank < 0 || rank >= shape.size()) {
      throw new IllegalArgumentException("rank = " + rank + " of " + shape.size());
    }
    this.shape = shape;
    this.rank = rank;
    this.steps = new Steps(shape, rank);
    this.view = null;
  }

  private Program(Shape shape, int rank, Steps steps, View view) {
    this.shape = shape;
    this.rank = rank;
    this.steps = steps;
    this.view = view;
  }

  /** Ranks of the whole group by number, and where their numbered buffers lie in this rank's. */
  private record View(List<Integer> members, Range own, Range result, long scratch) {}

  /**
   * A view of this program in which some of the ranks do a collective of their own on a part of the
   * memory. Steps written to the view are steps of this program: they wait for those written before
   * whose bytes they need or would overwrite, and for nothing else, so phases overlap by segment.
   *
   * @param part what these ranks do; its layout and whether it is in place do not matter
   * @param members ranks of this program that are 0, 1, 2 ... in the view, this rank among them
   * @param own where this rank's contribution lies
   * @param result where this rank's result goes; may be the same range
   * @param scratch first byte of scratch memory that the view may use
   */
  public Program within(Shape part, List<Integer> members, Range own, Range result, long scratch) {
    int number = members.indexOf(rank);
    if (members.size() != part.size() || number < 0) {
      throw new IllegalArgumentException(
          "members = " + members + " at rank " + rank + " for " + part);
    }
    List<Integer> ranks = members.stream().map(this::peer).toList();
    long start = view == null ? scratch : view.scratch + scratch;
    View inner = new View(ranks, place(own), place(result), start);
    return new Program(part.withInPlace(own.equals(result)), number, steps, inner);
  }

  /** What the ranks of this program, or view of one, compute together. */
  public Shape shape() {
    return shape;
  }

  /** This rank, or its number in a view. */
  public int rank() {
    return rank;
  }

  /** Where this rank's contribution to a range of the vector lies at the start. */
  public Range own(Range range) {
    long shift = shape.contributionOffset(rank) - shape.contributionStart(rank);
    return range.in(shape.inPlace() ? Space.OUTPUT : Space.INPUT).moved(shift);
  }

  /** Where a range of the vector lies in this rank's result. */
  public Range result(Range range) {
    return range.in(Space.OUTPUT).moved(shape.resultOffset(rank) - shape.resultStart(rank));
  }

  /** Sends a range to a peer. */
  public void send(int peer, Range range) {
    for (Range segment : segments(range)) {
      message(Schedule.Kind.SEND, peer, segment, Order.TARGET_FIRST);
    }
  }

  /** Receives a range from a peer, in place of what was there. */
  public void recv(int peer, Range range) {
    for (Range segment : segments(range)) {
      message(Schedule.Kind.RECV, peer, segment, Order.TARGET_FIRST);
    }
  }

  /** Receives from a peer and reduces into a range: the target; what arrives is the source. */
  public void recvReduce(int peer, Range range, Order order) {
    for (Range segment : segments(range)) {
      message(Schedule.Kind.RECV_REDUCE, peer, segment, order);
    }
  }

  /**
   * Receives from a peer and reduces with this rank's own contribution (the target), leaving what
   * comes out in its result.
   */
  public void recvReduceOwn(int peer, Range range, Order order) {
    recvReduceOwn(peer, range, result(range), order);
  }

  /**
   * The same, leaving what comes out in a place to be said. Where that is not the contribution's
   * own this needs no copy: it receives straight into the place and reduces the contribution into
   * that while it is in cache.
   */
  public void recvReduceOwn(int peer, Range range, Range place, Order order) {
    if (place.equals(own(range))) {
      recvReduce(peer, place, order);
      return;
    }
    for (Range segment : segments(range)) {
      Range target = place.part(segment.offset() - range.offset(), segment.length());
      recv(peer, target);
      reduce(target, own(segment), order.flipped());
    }
  }

  /** Reduces source into target. */
  public void reduce(Range target, Range source, Order order) {
    local(Schedule.Kind.REDUCE, target, source, order);
  }

  /** Copies source over target, unless they are the same. */
  public void copy(Range target, Range source) {
    if (!target.equals(source)) {
      local(Schedule.Kind.COPY, target, source, Order.TARGET_FIRST);
    }
  }

  /** Copies this rank's own contribution to its result, unless it lies there already. */
  public void copyOwn(Range range) {
    copy(result(range), own(range));
  }

  /** Sends a peer a message without bytes when everything awaited so far has happened. */
  public void signal(int peer) {
    steps.afterAwaited();
    steps.message(Schedule.Kind.SEND, peer(peer), NOTHING, Order.TARGET_FIRST);
  }

  /** Awaits a peer's signal. */
  public void await(int peer) {
    steps.nextIsAwaited();
    steps.message(Schedule.Kind.RECV, peer(peer), NOTHING, Order.TARGET_FIRST);
  }

  /** The finished schedule of the whole program. */
  public Schedule schedule() {
    return steps.schedule();
  }

  /** A range in pieces no longer than a message may be, cut alike wherever it lies. */
  public List<Range> segments(Range range) {
    if (range.length() <= shape.segmentBytes()) {
      return range.isEmpty() ? List.of() : List.of(range);
    }
    Partition cut = Partition.segments(range, shape.elementBytes(), shape.segmentBytes());
    List<Range> all = new ArrayList<>(cut.parts());
    for (int part = 0; part < cut.parts(); part++) {
      all.add(cut.part(part).in(range.space()));
    }
    return all;
  }

  private void message(Schedule.Kind kind, int peer, Range range, Order order) {
    Range place = place(range);
    if (kind == Schedule.Kind.SEND) {
      steps.reads(place);
    } else {
      steps.writes(place);
    }
    steps.message(kind, peer(peer), place, order);
  }

  private void local(Schedule.Kind kind, Range target, Range source, Order order) {
    if (target.length() != source.length()) {
      throw new IllegalArgumentException(kind + " of " + source + " to " + target);
    }
    for (Range segment : segments(target)) {
      Range from = source.part(segment.offset() - target.offset(), segment.length());
      steps.local(kind, place(segment), place(from), order);
    }
  }

  /** The rank of the whole group that has a number here. */
  private int peer(int number) {
    if (view == null) {
      return number;
    }
    if (number < 0 || number >= view.members.size()) {
      throw new IllegalArgumentException("peer = " + number + " of " + view.members.size());
    }
    return view.members.get(number);
  }

  /** Where a range lies in the rank's own buffers. */
  private Range place(Range range) {
    if (view == null) {
      return range;
    }
    if (range.space() == Space.SCRATCH) {
      return range.moved(view.scratch);
    }
    boolean input = range.space() == Space.INPUT;
    Range window = input ? view.own : view.result;
    if (range.end() > window.length() || (input && shape.inPlace())) {
      throw new IllegalArgumentException(range + " of " + window.length() + " bytes in a view");
    }
    return window.part(range.offset(), range.length());
  }

  /** Which operand comes first when two are reduced; visible to functions that do not commute. */
  public enum Order {
    /** {@code target = f(target, source)}. */
    TARGET_FIRST,
    /** {@code target = f(source, target)}. */
    SOURCE_FIRST;

    /** The order in which the same two operands stand when target and source change places. */
    public Order flipped() {
      return this == TARGET_FIRST ? SOURCE_FIRST : TARGET_FIRST;
    }
  }
}
