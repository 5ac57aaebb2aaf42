package io.jgloo.collectives;

import io.jgloo.transport.Request;

/**
 * One rank's program for one shape: operations on byte ranges of symbolic buffers, with what each
 * must wait for.
 *
 * <p>Operations are numbered in program order. Two rules say when one may be <em>issued</em>
 * (handed to the transport, or done if it is local):
 *
 * <ul>
 *   <li>every operation that has it among its {@link #successor successors} has <em>completed</em>;
 *   <li>if it {@link #issueWaits}, the one whose {@link #issueNext} it is has been <em>issued</em>:
 *       so messages between two ranks keep one order in each direction, and are matched by it.
 * </ul>
 *
 * A send reads its range, and a receive writes its, from issue to completion. Both rules only point
 * forward, so program order is one right order. Messages without bytes carry nothing, as in
 * barriers.
 *
 * <p><em>Threads</em>: any; immutable.
 */
public final class Schedule {
  private final Kind[] kind;
  private final int[] peer;
  private final Space[] space;
  private final long[] offset;
  private final long[] length;
  private final Space[] sourceSpace;
  private final long[] sourceOffset;
  private final Order[] order;
  private final int[] indegree;
  private final int[] successorStart;
  private final int[] successors;
  private final int[] issueNext;
  private final boolean[] issueWaits;
  private final int[] slot; // null where all messages are plain, as are the next two
  private final long[] remoteOffset;
  private final boolean[] note;
  private final Shape shape;
  private final int rank;
  private final long scratchBytes;

  /**
   * Takes over the operations; operation {@code i} waits for {@code predecessors[starts[i]]} up to
   * {@code predecessors[starts[i + 1] - 1]}.
   */
  Schedule(
      Shape shape,
      int rank,
      Operations operations,
      long scratchBytes,
      int[] starts,
      int[] predecessors) {
    operations.trim();
    this.shape = shape;
    this.rank = rank;
    this.scratchBytes = scratchBytes;
    this.kind = operations.kind;
    this.peer = operations.peer;
    this.space = operations.space;
    this.offset = operations.offset;
    this.length = operations.length;
    this.sourceSpace = operations.sourceSpace;
    this.sourceOffset = operations.sourceOffset;
    this.order = operations.order;
    this.issueNext = operations.issueNext;
    this.issueWaits = operations.issueWaits;
    this.slot = operations.slot;
    this.remoteOffset = operations.remoteOffset;
    this.note = operations.note;
    this.indegree = new int[kind.length];
    this.successorStart = new int[kind.length + 1];
    this.successors = new int[predecessors.length];
    link(starts, predecessors);
  }

  private void link(int[] starts, int[] predecessors) {
    for (int earlier : predecessors) {
      successorStart[earlier + 1]++;
    }
    for (int op = 0; op < kind.length; op++) {
      successorStart[op + 1] += successorStart[op];
      indegree[op] = starts[op + 1] - starts[op];
    }
    int[] next = successorStart.clone();
    for (int op = 0; op < kind.length; op++) {
      for (int i = starts[op]; i < starts[op + 1]; i++) {
        successors[next[predecessors[i]]++] = op;
      }
    }
  }

  /** What an operation does. */
  public enum Kind {
    /** Sends the range to the peer. */
    SEND("send"),
    /** Receives the range from the peer. */
    RECV("recv"),
    /** Receives from the peer and reduces into the range. */
    RECV_REDUCE("recvReduce"),
    /** Reduces the source range into the range. */
    REDUCE("reduce"),
    /** Copies the source range over the range. */
    COPY("copy");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /** Whether a peer takes part. */
    public boolean isMessage() {
      return this == SEND || isReceive();
    }

    /** Whether a message from the peer is consumed. */
    public boolean isReceive() {
      return this == RECV || this == RECV_REDUCE;
    }

    /** The name used in messages. */
    public String label() {
      return label;
    }
  }

  /** What all ranks compute together. */
  public Shape shape() {
    return shape;
  }

  /** Whose program this is. */
  public int rank() {
    return rank;
  }

  /** Number of operations. */
  public int operations() {
    return kind.length;
  }

  /** Bytes of scratch memory the program needs. */
  public long scratchBytes() {
    return scratchBytes;
  }

  /** Bytes of a symbolic buffer. */
  public long bytes(Space space) {
    return switch (space) {
      case INPUT -> shape.inputBytes(rank);
      case OUTPUT -> shape.outputBytes(rank);
      case SCRATCH -> scratchBytes;
    };
  }

  /** What operation {@code op} does. */
  public Kind kind(int op) {
    return kind[op];
  }

  /** The other rank of a message; this rank for local operations. */
  public int peer(int op) {
    return peer[op];
  }

  /** The buffer sent from, received into, reduced into or copied to. */
  public Space space(int op) {
    return space[op];
  }

  /** First byte of the range in {@link #space}. */
  public long offset(int op) {
    return offset[op];
  }

  /** Length of the range in bytes; for local operations also that of the source. */
  public long length(int op) {
    return length[op];
  }

  /**
   * Whether what matters about operation {@code op} is that it comes: a message without bytes, as
   * barriers exchange, or a note.
   */
  public boolean isSignal(int op) {
    return length[op] == 0 || (note != null && note[op]);
  }

  /** Whether messages have different slots, and an order in each. */
  public boolean hasSlots() {
    return slot != null;
  }

  /** The slot of a message, counted from the first one of its call. */
  public int slot(int op) {
    return slot == null ? 0 : slot[op];
  }

  /** Where in its receiver's memory a message that is not asked for goes, or -1 if it is. */
  public long remoteOffset(int op) {
    return remoteOffset == null ? Request.UNBOUND : remoteOffset[op];
  }

  /** The buffer a local operation takes its second operand from. */
  public Space sourceSpace(int op) {
    return sourceSpace[op];
  }

  /** First byte of a local operation's second operand in {@link #sourceSpace}. */
  public long sourceOffset(int op) {
    return sourceOffset[op];
  }

  /** For reductions: whether {@code target = f(source, target)} and not the other way round. */
  public boolean sourceFirst(int op) {
    return order[op] == Order.SOURCE_FIRST;
  }

  /** How many operations must complete before operation {@code op} may be issued. */
  public int indegree(int op) {
    return indegree[op];
  }

  /** How many operations wait for the completion of operation {@code op}. */
  public int successors(int op) {
    return successorStart[op + 1] - successorStart[op];
  }

  /** The {@code index}-th operation that waits for the completion of operation {@code op}. */
  public int successor(int op, int index) {
    return successors[successorStart[op] + index];
  }

  /** The operation that may be issued only after {@code op} has been issued, or -1. */
  public int issueNext(int op) {
    return issueNext[op];
  }

  /** Whether operation {@code op} is the {@link #issueNext} of another. */
  public boolean issueWaits(int op) {
    return issueWaits[op];
  }

  /** Operation {@code op} in words, for messages. */
  public String describe(int op) {
    Range target = new Range(space(op), offset(op), length(op));
    Range source = new Range(sourceSpace(op), sourceOffset(op), length(op));
    return kind(op).label()
        + switch (kind(op)) {
          case SEND -> " " + target + " to rank " + peer(op);
          case RECV -> " " + target + " from rank " + peer(op);
          case RECV_REDUCE -> " " + target + " from rank " + peer(op) + operands(op);
          case REDUCE -> " " + source + " into " + target + operands(op);
          case COPY -> " " + source + " to " + target;
        };
  }

  private String operands(int op) {
    return sourceFirst(op) ? ", source first" : ", target first";
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(shape + ", rank " + rank);
    for (int op = 0; op < operations(); op++) {
      text.append(System.lineSeparator()).append(op).append(": ").append(describe(op));
      for (int i = 0; i < successors(op); i++) {
        text.append(i == 0 ? " -> " : " ").append(successor(op, i));
      }
    }
    return text.toString();
  }
}
