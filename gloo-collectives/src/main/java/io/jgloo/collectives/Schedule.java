package io.jgloo.collectives;

import io.jgloo.collectives.Program.Order;
import io.jgloo.collectives.Range.Space;

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
  private static final Kind[] KINDS = Kind.values();
  private static final Space[] SPACES = Space.values();
  private static final int SPACE_SHIFT = 3;
  private static final int SOURCE_SHIFT = 5;
  private static final int SOURCE_FIRST = 0x80;

  private final byte[] what;
  private final Column peer;
  private final Column offset;
  private final Column length;
  private final Column sourceOffset;
  private final Column indegree;
  private final Column successorStart;
  private final Column successors;
  private final int[] issueNext; // null where no message follows another, as is the next one
  private final boolean[] issueWaits;
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
    this.what = operations.what;
    this.peer = Column.of(what.length, op -> operations.peer[op]);
    this.offset = Column.of(what.length, op -> operations.offset[op]);
    this.length = Column.of(what.length, op -> operations.length[op]);
    this.sourceOffset = Column.of(what.length, op -> operations.sourceOffset[op]);
    this.issueNext = operations.issueNext;
    this.issueWaits = operations.issueWaits;
    this.indegree = Column.of(what.length, op -> starts[op + 1] - starts[op]);
    int[] ends = new int[what.length + 1]; // first where the successors of each operation begin
    for (int earlier : predecessors) {
      ends[earlier + 1]++;
    }
    for (int op = 0; op < what.length; op++) {
      ends[op + 1] += ends[op];
    }
    this.successorStart = Column.of(ends.length, op -> ends[op]);
    int[] later = new int[predecessors.length];
    for (int op = 0; op < what.length; op++) {
      for (int i = starts[op]; i < starts[op + 1]; i++) {
        later[ends[predecessors[i]]++] = op;
      }
    }
    this.successors = Column.of(later.length, i -> later[i]);
  }

  /** All about an operation that takes few bits. */
  @SuppressWarnings("EnumOrdinal") // never leaves this class
  static byte pack(Kind kind, Space space, Space sourceSpace, Order order) {
    return (byte)
        (kind.ordinal()
            | space.ordinal() << SPACE_SHIFT
            | sourceSpace.ordinal() << SOURCE_SHIFT
            | (order == Order.SOURCE_FIRST ? SOURCE_FIRST : 0));
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
    return what.length;
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
    return KINDS[what[op] & 7];
  }

  /** The other rank of a message; this rank for local operations. */
  public int peer(int op) {
    return (int) peer.get(op);
  }

  /** The buffer sent from, received into, reduced into or copied to. */
  public Space space(int op) {
    return SPACES[what[op] >> SPACE_SHIFT & 3];
  }

  /** First byte of the range in {@link #space}. */
  public long offset(int op) {
    return offset.get(op);
  }

  /** Length of the range in bytes; for local operations also that of the source. */
  public long length(int op) {
    return length.get(op);
  }

  /** Whether operation {@code op} is a message without bytes, as barriers exchange. */
  public boolean isSignal(int op) {
    return length(op) == 0;
  }

  /** The buffer a local operation takes its second operand from. */
  public Space sourceSpace(int op) {
    return SPACES[what[op] >> SOURCE_SHIFT & 3];
  }

  /** First byte of a local operation's second operand in {@link #sourceSpace}. */
  public long sourceOffset(int op) {
    return sourceOffset.get(op);
  }

  /** For reductions: whether {@code target = f(source, target)} and not the other way round. */
  public boolean sourceFirst(int op) {
    return (what[op] & SOURCE_FIRST) != 0;
  }

  /** How many operations must complete before operation {@code op} may be issued. */
  public int indegree(int op) {
    return (int) indegree.get(op);
  }

  /** How many operations wait for the completion of operation {@code op}. */
  public int successors(int op) {
    return (int) (successorStart.get(op + 1) - successorStart.get(op));
  }

  /** The {@code index}-th operation that waits for the completion of operation {@code op}. */
  public int successor(int op, int index) {
    return (int) successors.get((int) successorStart.get(op) + index);
  }

  /** The operation that may be issued only after {@code op} has been issued, or -1. */
  public int issueNext(int op) {
    return issueNext == null ? -1 : issueNext[op];
  }

  /** Whether operation {@code op} is the {@link #issueNext} of another. */
  public boolean issueWaits(int op) {
    return issueWaits != null && issueWaits[op];
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
