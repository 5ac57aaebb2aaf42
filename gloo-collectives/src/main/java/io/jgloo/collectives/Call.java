package io.jgloo.collectives;

import io.jgloo.DataType;
import io.jgloo.ReduceOp;
import java.util.Objects;

/**
 * What is asked of an {@link Executor}: a collective, its elements, its memory, its limits.
 *
 * <p>Meant to be used again, so that asking allocates nothing. The executor reads it before it
 * returns and does not keep it.
 *
 * <p><em>Threads</em>: one.
 */
public final class Call {

  private final Region input = new Region();
  private final Region output = new Region();
  private Collective collective;
  private DataType type;
  private ReduceOp op;
  private long count;
  private int root;
  private String algorithm;
  private long timeoutNanos;

  /** A call that says nothing yet. */
  public Call() {}

  /**
   * Describes the call anew; its memory is absent until given.
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
    input.absent();
    output.absent();
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

  /** This rank's contribution; absent when the call is in place. */
  public Region input() {
    return input;
  }

  /** Where the result goes. */
  public Region output() {
    return output;
  }

  /** Lets go of the caller's memory. */
  public void clear() {
    input.absent();
    output.absent();
  }

  Collective collective() {
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

  String algorithm() {
    return algorithm;
  }

  long timeoutNanos() {
    return timeoutNanos;
  }

  boolean inPlace() {
    return !input.present();
  }

  /** The shape, for a group of that size. */
  Shape shape(int size) {
    int bytes = type.bytes();
    Shape shape =
        switch (collective) {
          case ALLREDUCE -> Shape.allreduce(size, count, bytes);
          case BROADCAST -> Shape.broadcast(size, root, count, bytes);
          case BARRIER -> Shape.barrier(size);
          case ALLGATHER -> Shape.allgather(size, count, bytes);
          case ALLTOALL -> Shape.alltoall(size, count, bytes);
          case GATHER -> Shape.gather(size, root, count, bytes);
          case REDUCE -> Shape.reduce(size, root, count, bytes);
          case REDUCE_SCATTER -> Shape.reduceScatter(size, count, bytes);
          case SCATTER -> Shape.scatter(size, root, count, bytes);
          case SCAN -> Shape.scan(size, count, bytes);
          case EXSCAN -> Shape.exscan(size, count, bytes);
          case ALLGATHERV, ALLTOALLV, GATHERV, REDUCE_SCATTERV, SCATTERV ->
              throw new IllegalArgumentException(
                  collective.label() + " needs a count for each rank");
        };
    return shape.withInPlace(inPlace());
  }
}
