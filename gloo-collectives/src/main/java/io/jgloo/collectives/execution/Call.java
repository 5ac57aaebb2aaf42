package io.jgloo.collectives.execution;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.Layout;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.Shape;
import java.util.Arrays;
import java.util.Objects;

/**
 * A call of an {@link Executor}: a collective, its elements, its memory, its limits.
 *
 * <p>Meant to be used again, so that asking allocates nothing. The executor reads it before it
 * returns and does not keep it.
 *
 * <p><em>Threads</em>: one.
 */
public final class Call {

  private Region input;
  private Region output;
  private Collective collective;
  private DataType type;
  private ReduceOp op;
  private long count;
  private int root;
  private long[] sent;
  private long[] received;
  private String algorithm;
  private long timeoutNanos;
  private boolean inPlace;
  private long tag = -1;

  /** A call that says nothing yet. */
  public Call() {}

  /**
   * Describes the call anew; it has no memory until that is given.
   *
   * @param type of the elements; any where there are none
   * @param op how to reduce, or null where nothing is reduced
   * @param count elements of each rank's vector
   * @param root the rank with a part of its own; 0 where there is none
   */
  public Call of(Collective collective, DataType type, ReduceOp op, long count, int root) {
    this.collective = Objects.requireNonNull(collective, "collective");
    this.type = Objects.requireNonNull(type, "type");
    this.op = op;
    this.count = count;
    this.root = root;
    sent = null;
    received = null;
    return on(null, null);
  }

  /**
   * Blocks of different lengths: elements for each rank and from each, which are the same list but
   * for an alltoallv.
   */
  public Call counts(long[] sent, long[] received) {
    this.sent = sent;
    this.received = received;
    return this;
  }

  /**
   * How it is to be done.
   *
   * @param algorithm by name, or null for the one predicted to be fastest
   * @param timeoutNanos after which the call fails
   */
  public Call by(String algorithm, long timeoutNanos) {
    this.algorithm = algorithm;
    this.timeoutNanos = timeoutNanos;
    return this;
  }

  /**
   * Where its messages go, on Gloo's wires.
   *
   * @param tag -1 for the one the dialect takes
   */
  public Call at(long tag) {
    this.tag = tag;
    return this;
  }

  /**
   * The caller's memory, whose description must not change until the call has ended.
   *
   * @param input this rank's contribution, or null when the call is in place
   * @param output where the result goes, or null where there is none
   */
  public Call on(Region input, Region output) {
    this.input = input;
    this.output = output;
    inPlace = input == null;
    return this;
  }

  /** This rank's contribution; null when the call is in place. */
  Region input() {
    return input;
  }

  /** Where the result goes, or null. */
  Region output() {
    return output;
  }

  /** Lets go of the caller's memory. */
  public void clear() {
    input = null;
    output = null;
    sent = null;
    received = null;
  }

  /** A copy that holds on to nothing of the caller's. */
  Call withoutMemory() {
    Call copy = new Call().of(collective, type, op, count, root).by(algorithm, timeoutNanos);
    copy.sent = copy(sent);
    copy.received = received == sent ? copy.sent : copy(received);
    copy.inPlace = inPlace;
    return copy;
  }

  private static long[] copy(long[] counts) {
    return counts == null ? null : counts.clone();
  }

  /** Whether both ask for the same, of whatever memory and within whatever time. */
  boolean isLike(Call other) {
    return count == other.count
        && collective == other.collective
        && type == other.type
        && Objects.equals(op, other.op)
        && root == other.root
        && inPlace == other.inPlace
        && Arrays.equals(sent, other.sent)
        && Arrays.equals(received, other.received)
        && Objects.equals(algorithm, other.algorithm);
  }

  public Collective collective() {
    return collective;
  }

  DataType type() {
    return type;
  }

  ReduceOp op() {
    return op;
  }

  long count() {
    return count;
  }

  int root() {
    return root;
  }

  /** Elements for each rank, or null where ranks have equally many. */
  long[] sent() {
    return sent;
  }

  /** Elements from each rank, or null where ranks have equally many. */
  long[] received() {
    return received;
  }

  public String algorithm() {
    return algorithm;
  }

  long timeoutNanos() {
    return timeoutNanos;
  }

  long tag() {
    return tag;
  }

  boolean inPlace() {
    return inPlace;
  }

  /** The shape, for ranks on these hosts; its elements are the operation's tuples. */
  public Shape shape(Layout layout) {
    return shape(layout.size()).withLayout(layout).withInPlace(inPlace());
  }

  private Shape shape(int size) {
    int width = op == null ? 1 : op.width();
    int bytes = type.bytes() * width;
    long each = count / width;
    return switch (collective) {
      case ALLREDUCE -> Shape.allreduce(size, each, bytes);
      case BROADCAST -> Shape.broadcast(size, root, each, bytes);
      case BARRIER -> Shape.barrier(size);
      case REDUCE -> Shape.reduce(size, root, each, bytes);
      case SCAN -> Shape.scan(size, each, bytes);
      case EXSCAN -> Shape.exscan(size, each, bytes);
      case ALLGATHER -> Shape.allgather(size, each, bytes);
      case ALLGATHERV -> Shape.allgatherv(tuples(sent, size, width), bytes);
      case GATHER -> Shape.gather(size, root, each, bytes);
      case GATHERV -> Shape.gatherv(root, tuples(sent, size, width), bytes);
      case SCATTER -> Shape.scatter(size, root, each, bytes);
      case SCATTERV -> Shape.scatterv(root, tuples(sent, size, width), bytes);
      case REDUCE_SCATTER -> Shape.reduceScatter(size, each, bytes);
      case REDUCE_SCATTERV -> Shape.reduceScatterv(tuples(sent, size, width), bytes);
      case ALLTOALL -> Shape.alltoall(size, each, bytes);
      case ALLTOALLV ->
          Shape.alltoallv(tuples(sent, size, width), tuples(received, size, width), bytes);
    };
  }

  /** Counts in tuples; where none are given, as many for each rank as the count says. */
  private long[] tuples(long[] elements, int size, int width) {
    long[] counts = new long[size];
    for (int rank = 0; rank < size; rank++) {
      counts[rank] = (elements == null ? count : elements[rank]) / width;
    }
    return counts;
  }
}
