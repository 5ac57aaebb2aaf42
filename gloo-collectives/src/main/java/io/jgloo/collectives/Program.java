package io.jgloo.collectives;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

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
  /** The first byte of scratch memory that is free where notes are used. */
  public static final long BEHIND_NOTES = 64;

  private static final long NOTE_BYTES = 4;
  private static final int NONE = -1;

  private final Shape shape;
  private final int rank;
  private final Dependencies dependencies = new Dependencies();
  private final IntList awaited = new IntList();
  private final int[] lastSent;
  private final int[] lastReceived;
  private final int[] lastNote;
  private final Operations operations = new Operations();
  private long scratchBytes;
  private int awaitedByMessages = NONE;

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
    this.lastSent = new int[shape.size()];
    this.lastReceived = new int[shape.size()];
    Arrays.fill(lastSent, NONE);
    this.lastNote = lastReceived.clone();
    Arrays.fill(lastReceived, NONE);
    Arrays.fill(lastNote, NONE);
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
      reads(segment);
      message(Schedule.Kind.SEND, peer, segment, Order.TARGET_FIRST);
    }
  }

  /** Receives a range from a peer, in place of what was there. */
  public void recv(int peer, Range range) {
    for (Range segment : segments(range)) {
      writes(segment);
      message(Schedule.Kind.RECV, peer, segment, Order.TARGET_FIRST);
    }
  }

  /** Receives from a peer and reduces into a range: the target; what arrives is the source. */
  public void recvReduce(int peer, Range range, Order order) {
    for (Range segment : segments(range)) {
      writes(segment);
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
    for (int i = 0; i < awaited.size(); i++) {
      dependencies.after(awaited.get(i));
    }
    message(Schedule.Kind.SEND, peer, new Range(Space.OUTPUT, 0, 0), Order.TARGET_FIRST);
  }

  /** Awaits a peer's signal. */
  public void await(int peer) {
    awaited.add(operations.count());
    message(Schedule.Kind.RECV, peer, new Range(Space.OUTPUT, 0, 0), Order.TARGET_FIRST);
  }

  /**
   * Sends a whole range that no receive asks for, once the peer's last note has come.
   *
   * @param slot counted from the first one of the call
   * @param remoteOffset where in the memory that the peer has for the slot
   */
  public void put(int peer, int slot, Range range, long remoteOffset) {
    afterNote(peer);
    reads(range);
    message(Schedule.Kind.SEND, peer, range, Order.TARGET_FIRST);
    operations.bind(slot, remoteOffset, false);
  }

  /** Takes what a peer puts, in place of what was there; arguments as of {@link #put}. */
  public void take(int peer, int slot, Range range, long remoteOffset) {
    writes(range);
    message(Schedule.Kind.RECV, peer, range, Order.TARGET_FIRST);
    operations.bind(slot, remoteOffset, false);
  }

  /** Takes what a peer puts and reduces it into a range: the target, and the first operand. */
  public void takeReduce(int peer, int slot, Range range) {
    writes(range);
    message(Schedule.Kind.RECV_REDUCE, peer, range, Order.TARGET_FIRST);
    operations.bind(slot, 0, false);
  }

  /** Puts a note, some bytes that mean nothing, once the operation written last is done. */
  public void note(int peer, int slot) {
    if (last() != NONE) {
      dependencies.after(last());
    }
    afterNote(peer);
    addNote(Schedule.Kind.SEND, peer, slot);
  }

  /** Awaits a peer's note: what is put to that peer from here on waits for it. */
  public void awaitNote(int peer, int slot) {
    lastNote[peer] = operations.count();
    addNote(Schedule.Kind.RECV, peer, slot);
  }

  private void addNote(Schedule.Kind kind, int peer, int slot) {
    Range bytes = new Range(Space.SCRATCH, kind == Schedule.Kind.SEND ? 0 : NOTE_BYTES, NOTE_BYTES);
    check(bytes);
    message(kind, peer, bytes, Order.TARGET_FIRST);
    operations.bind(slot, 0, true);
  }

  private void afterNote(int peer) {
    if (lastNote[peer] != NONE) {
      dependencies.after(lastNote[peer]);
    }
  }

  /** The number of the operation written last; -1 if there is none. */
  public int last() {
    return operations.count() - 1;
  }

  /** Messages written from here on wait for an operation: so few are under way at a time. */
  public void messagesAfter(int operation) {
    awaitedByMessages = operation;
  }

  /** The finished schedule. */
  public Schedule schedule() {
    return new Schedule(
        shape, rank, operations, scratchBytes, dependencies.starts(), dependencies.predecessors());
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
    if (peer < 0 || peer >= shape.size() || peer == rank) {
      throw new IllegalArgumentException("peer = " + peer + " at rank " + rank);
    }
    if (awaitedByMessages != NONE) {
      dependencies.after(awaitedByMessages);
    }
    int[] last = kind == Schedule.Kind.SEND ? lastSent : lastReceived;
    int operation = operations.add(kind, peer, range, range, order);
    if (last[peer] != NONE) {
      operations.issueNext(last[peer], operation);
    }
    last[peer] = operation;
    dependencies.next();
  }

  private void local(Schedule.Kind kind, Range target, Range source, Order order) {
    if (target.length() != source.length()) {
      throw new IllegalArgumentException(kind + " of " + source + " to " + target);
    }
    for (Range segment : segments(target)) {
      Range from = source.part(segment.offset() - target.offset(), segment.length());
      reads(from);
      writes(segment);
      operations.add(kind, rank, segment, from, order);
      dependencies.next();
    }
  }

  private void reads(Range range) {
    check(range);
    dependencies.read(range);
  }

  private void writes(Range range) {
    check(range);
    if (range.space() == Space.INPUT) {
      throw new IllegalArgumentException("writes " + range);
    }
    dependencies.write(range);
  }

  private void check(Range range) {
    if (range.space() == Space.SCRATCH) {
      scratchBytes = Math.max(scratchBytes, range.end());
    } else if (range.space() == Space.INPUT && shape.inPlace()) {
      throw new IllegalArgumentException("there is no input in place: " + range);
    } else {
      boolean input = range.space() == Space.INPUT;
      long bytes = input ? shape.inputBytes(rank) : shape.outputBytes(rank);
      if (range.end() > bytes) {
        throw new IllegalArgumentException(range + " of " + bytes + " bytes");
      }
    }
  }
}
