package io.jgloo.collectives;

import java.util.Objects;

/**
 * The description of a call, as far as it decides the schedules: two calls of equal shape run the
 * same program. All ranks of a call must agree on it, except for {@link #inPlace()}, which each
 * rank chooses for itself, and for the counts of an alltoallv, which only the two ranks of a block
 * share.
 *
 * <p>A shape has one <em>vector</em>: what is reduced or broadcast, or the blocks of all ranks in
 * the order of ranks, without gaps. Each rank's operands are parts of it. n is the length of the
 * vector, n(r) that of block r, T of all blocks; the columns say what the operands hold:
 *
 * <pre>
 *                       input                output                in place, output before -&gt; after
 *   allreduce           n                    n                     n contribution -&gt; result
 *   scan, exscan        n                    n                     n contribution -&gt; result
 *   broadcast           root: n              n                     root: unchanged; n -&gt; result
 *   reduce              n                    root: n               root: n contribution -&gt; result
 *                                                                  others: n, only read
 *   allgather(v)        n(r)                 T                     T, own block in its place -&gt; all
 *   gather(v)           n(r)                 root: T               root: T, as allgather
 *                                                                  others: n(r), only read
 *   scatter(v)          root: T              n(r)                  root: T, only read; n(r) -&gt; result
 *   reduceScatter(v)    T                    n(r)                  T -&gt; result in the first n(r)
 *   alltoall            T                    T                     T, block k to rank k -&gt; from k
 *   alltoallv           T sent               T received            as alltoall; counts sent and
 *                                                                  received must be equal
 * </pre>
 *
 * An operand not named is empty. Those in place are MPI's; where MPI leaves a rank no buffer to say
 * so (reduce, gather other than at the root) the one buffer holds the contribution and is not
 * written. After a reduceScatter in place, what follows the result is undefined. Rank 0's output of
 * an exscan is not written.
 *
 * <p>Made by the factory of a collective, refined by the {@code with...} methods.
 */
public final class Shape {
  /**
   * Bound for one message unless said otherwise: what a core's L2 cache holds beside its target,
   * and what a peer takes unasked.
   */
  public static final long DEFAULT_SEGMENT_BYTES = 1024 * 1024;

  private final Collective collective;
  private final int size;
  private final int root;
  private final int elementBytes;
  private final long segmentBytes;
  private final boolean inPlace;
  private final Blocks sent;
  private final Blocks received;
  private final Layout layout;
  private final int hash;

  private Shape(
      Collective collective,
      int root,
      int elementBytes,
      long segmentBytes,
      boolean inPlace,
      Blocks sent,
      Blocks received,
      Layout layout) {
    check(layout.size() == sent.ranks(), "ranks of the layout", layout.size());
    check(segmentBytes >= 1 && segmentBytes % elementBytes == 0, "segmentBytes", segmentBytes);
    this.collective = collective;
    this.size = sent.ranks();
    this.root = root;
    this.elementBytes = elementBytes;
    this.segmentBytes = segmentBytes;
    this.inPlace = inPlace;
    this.sent = sent;
    this.received = received;
    this.layout = layout;
    if (inPlace && !symmetric()) {
      throw new IllegalArgumentException(
          "in place, counts sent must be those received, but are " + sent + " and " + received);
    }
    this.hash =
        Objects.hash(collective, root, elementBytes, segmentBytes, inPlace, sent, received, layout);
  }

  /** An allreduce of {@code count} elements over {@code size} ranks, out of place. */
  public static Shape allreduce(int size, long count, int elementBytes) {
    return plain(Collective.ALLREDUCE, 0, Blocks.one(size, count, elementBytes));
  }

  /** A broadcast of {@code count} elements from {@code root} to {@code size} ranks. */
  public static Shape broadcast(int size, int root, long count, int elementBytes) {
    return plain(Collective.BROADCAST, root, Blocks.one(size, count, elementBytes));
  }

  /** A barrier of {@code size} ranks. */
  public static Shape barrier(int size) {
    return plain(Collective.BARRIER, 0, Blocks.one(size, 0, 1));
  }

  /** A reduction of {@code count} elements of each of {@code size} ranks to {@code root}. */
  public static Shape reduce(int size, int root, long count, int elementBytes) {
    return plain(Collective.REDUCE, root, Blocks.one(size, count, elementBytes));
  }

  /** A scan of {@code count} elements over {@code size} ranks. */
  public static Shape scan(int size, long count, int elementBytes) {
    return plain(Collective.SCAN, 0, Blocks.one(size, count, elementBytes));
  }

  /** An exclusive scan of {@code count} elements over {@code size} ranks. */
  public static Shape exscan(int size, long count, int elementBytes) {
    return plain(Collective.EXSCAN, 0, Blocks.one(size, count, elementBytes));
  }

  /** An allgather of {@code count} elements of each of {@code size} ranks. */
  public static Shape allgather(int size, long count, int elementBytes) {
    return plain(Collective.ALLGATHER, 0, Blocks.even(size, count, elementBytes));
  }

  /** An allgather of {@code counts[r]} elements of rank r. */
  public static Shape allgatherv(long[] counts, int elementBytes) {
    return plain(Collective.ALLGATHERV, 0, Blocks.uneven(counts, elementBytes));
  }

  /** A gather of {@code count} elements of each of {@code size} ranks at {@code root}. */
  public static Shape gather(int size, int root, long count, int elementBytes) {
    return plain(Collective.GATHER, root, Blocks.even(size, count, elementBytes));
  }

  /** A gather of {@code counts[r]} elements of rank r at {@code root}. */
  public static Shape gatherv(int root, long[] counts, int elementBytes) {
    return plain(Collective.GATHERV, root, Blocks.uneven(counts, elementBytes));
  }

  /** A scatter of {@code count} elements to each of {@code size} ranks from {@code root}. */
  public static Shape scatter(int size, int root, long count, int elementBytes) {
    return plain(Collective.SCATTER, root, Blocks.even(size, count, elementBytes));
  }

  /** A scatter of {@code counts[r]} elements to rank r from {@code root}. */
  public static Shape scatterv(int root, long[] counts, int elementBytes) {
    return plain(Collective.SCATTERV, root, Blocks.uneven(counts, elementBytes));
  }

  /** A reduction of {@code size} blocks of {@code count} elements, one of which each rank gets. */
  public static Shape reduceScatter(int size, long count, int elementBytes) {
    return plain(Collective.REDUCE_SCATTER, 0, Blocks.even(size, count, elementBytes));
  }

  /** A reduction of blocks of {@code counts[r]} elements, of which rank r gets block r. */
  public static Shape reduceScatterv(long[] counts, int elementBytes) {
    return plain(Collective.REDUCE_SCATTERV, 0, Blocks.uneven(counts, elementBytes));
  }

  /** An exchange of {@code count} elements from each of {@code size} ranks to each. */
  public static Shape alltoall(int size, long count, int elementBytes) {
    return plain(Collective.ALLTOALL, 0, Blocks.even(size, count, elementBytes));
  }

  /**
   * An exchange in which this rank sends {@code sent[r]} elements to rank r and receives {@code
   * received[r]} from it.
   */
  public static Shape alltoallv(long[] sent, long[] received, int elementBytes) {
    check(sent.length == received.length, "received.length", received.length);
    Blocks mine = Blocks.uneven(sent, elementBytes);
    Blocks theirs = Blocks.uneven(received, elementBytes);
    long segmentBytes = segmentBytes(elementBytes);
    Layout layout = Layout.oneNode(mine.ranks());
    return new Shape(
        Collective.ALLTOALLV, 0, elementBytes, segmentBytes, false, mine, theirs, layout);
  }

  private static Shape plain(Collective what, int root, Blocks blocks) {
    check(root >= 0 && root < blocks.ranks(), "root", root);
    int elementBytes = blocks.elementBytes();
    long segmentBytes = segmentBytes(elementBytes);
    Layout layout = Layout.oneNode(blocks.ranks());
    return new Shape(what, root, elementBytes, segmentBytes, false, blocks, blocks, layout);
  }

  private static long segmentBytes(int elementBytes) {
    return Math.max(1, DEFAULT_SEGMENT_BYTES / elementBytes) * elementBytes;
  }

  /** The same work with input and output in one buffer, or not. */
  public Shape withInPlace(boolean value) {
    return new Shape(collective, root, elementBytes, segmentBytes, value, sent, received, layout);
  }

  /** The same work in messages of at most {@code bytes}, a multiple of the element size. */
  public Shape withSegmentBytes(long bytes) {
    return new Shape(collective, root, elementBytes, bytes, inPlace, sent, received, layout);
  }

  /** The same work of ranks on these hosts; all ranks are on one unless this is called. */
  public Shape withLayout(Layout value) {
    return new Shape(collective, root, elementBytes, segmentBytes, inPlace, sent, received, value);
  }

  /** What is computed. */
  public Collective collective() {
    return collective;
  }

  /** Number of ranks. */
  public int size() {
    return size;
  }

  /** Which ranks share a host. */
  public Layout layout() {
    return layout;
  }

  /** How often 1 must be doubled to reach the number of ranks: its logarithm, rounded up. */
  public int doublings() {
    return Integer.SIZE - Integer.numberOfLeadingZeros(size - 1);
  }

  /** The rank with a part of its own; 0 where the collective has none. */
  public int root() {
    return root;
  }

  /**
   * The count that all ranks agree on: elements of the vector, or of one rank's block, or where
   * blocks differ of all blocks; 0 for an alltoallv, of which all ranks agree on no count.
   */
  public long count() {
    return collective == Collective.ALLTOALLV ? 0 : sent.count();
  }

  /** Bytes of one element; no message ever splits one. */
  public int elementBytes() {
    return elementBytes;
  }

  /** Bytes of the vector; for an alltoallv of what this rank sends. */
  public long bytes() {
    return sent.bytes();
  }

  /** Upper bound for one message; algorithms may choose smaller ones. */
  public long segmentBytes() {
    return segmentBytes;
  }

  /** How many messages it takes to send {@code bytes} bytes. */
  public long messages(long bytes) {
    return (bytes + segmentBytes - 1) / segmentBytes;
  }

  /** Whether this rank's contribution lies in the output at the start, and there is no input. */
  public boolean inPlace() {
    return inPlace;
  }

  /** How the vector is cut into what belongs to each rank; for an alltoallv, is sent to it. */
  Blocks blocks() {
    return sent;
  }

  /** The blocks received; different from {@link #blocks()} for an alltoallv only. */
  Blocks received() {
    return received;
  }

  /** Whether as much is received as is sent, so that one buffer can hold both. */
  public boolean symmetric() {
    return sent.equals(received);
  }

  /** Bytes of a rank's input: those of its contribution, and none when it works in place. */
  public long inputBytes(int rank) {
    return inPlace ? 0 : contributionBytes(rank);
  }

  /** Bytes of a rank's output: those of its result; in place at least those of its contribution. */
  public long outputBytes(int rank) {
    return inPlace ? Math.max(contributionBytes(rank), resultBytes(rank)) : resultBytes(rank);
  }

  /** Bytes of the vector that a rank contributes. */
  public long contributionBytes(int rank) {
    return switch (collective) {
      case BROADCAST, SCATTER, SCATTERV -> rank == root ? bytes() : 0;
      case ALLGATHER, ALLGATHERV, GATHER, GATHERV -> sent.length(rank);
      default -> bytes();
    };
  }

  /** Bytes of the vector that a rank ends with. */
  public long resultBytes(int rank) {
    return switch (collective) {
      case REDUCE, GATHER, GATHERV -> rank == root ? bytes() : 0;
      case SCATTER, SCATTERV, REDUCE_SCATTER, REDUCE_SCATTERV -> sent.length(rank);
      default -> received.bytes();
    };
  }

  /** The byte of the vector at which a rank's contribution begins. */
  public long contributionStart(int rank) {
    return switch (collective) {
      case ALLGATHER, ALLGATHERV, GATHER, GATHERV -> sent.start(rank);
      default -> 0;
    };
  }

  /** The byte of the vector at which a rank's result begins. */
  public long resultStart(int rank) {
    return switch (collective) {
      case SCATTER, SCATTERV, REDUCE_SCATTER, REDUCE_SCATTERV -> sent.start(rank);
      default -> 0;
    };
  }

  /** The byte of the operand that holds a rank's contribution at which that begins. */
  public long contributionOffset(int rank) {
    boolean inItsPlace = inPlace && (!collective.toRoot() || rank == root);
    return inItsPlace ? contributionStart(rank) : 0;
  }

  /** The byte of the output at which a rank's result begins: 0 but for a scatter in place. */
  public long resultOffset(int rank) {
    boolean inItsPlace = inPlace && collective.fromRoot() && rank == root;
    return inItsPlace ? resultStart(rank) : 0;
  }

  static void check(boolean good, String name, long value) {
    if (!good) {
      throw new IllegalArgumentException(name + " = " + value);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Shape that
        && hash == that.hash
        && collective == that.collective
        && root == that.root
        && elementBytes == that.elementBytes
        && segmentBytes == that.segmentBytes
        && inPlace == that.inPlace
        && sent.equals(that.sent)
        && received.equals(that.received)
        && layout.equals(that.layout);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return collective.label()
        + " of "
        + sent
        + (symmetric() ? "" : " for " + received)
        + " over "
        + size
        + " ranks"
        + (collective.rooted() ? (collective.toRoot() ? " to" : " from") + " root " + root : "")
        + ", segments of "
        + segmentBytes
        + " B"
        + (inPlace ? ", in place" : "")
        + (layout.nodes() == 1 ? "" : ", " + layout);
  }
}
