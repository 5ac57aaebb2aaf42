package io.jgloo;

import static io.jgloo.Arguments.present;

/**
 * The calls of a group that bring all ranks' blocks together.
 *
 * <p>A call with one vector works in place; one with input and output leaves the input as it is.
 */
abstract class GatherCalls extends ReduceCalls {

  GatherCalls(Connection connection, CallOptions options) {
    super(connection, options);
  }

  /**
   * Brings all ranks' blocks together at every rank.
   *
   * @param x room for as many equal blocks as there are ranks, in their order; this rank's block in
   *     its place
   */
  public void allgather(Payload x) {
    try {
      run(make.allgather(null, x));
    } finally {
      done(x);
    }
  }

  /** Starts {@link #allgather(Payload)}. */
  public Work allgatherAsync(Payload x) {
    return start(make.allgather(null, x));
  }

  /**
   * Brings all ranks' blocks together at every rank.
   *
   * @param input this rank's block
   * @param output where all blocks go, in the order of ranks
   */
  public void allgather(Payload input, Payload output) {
    try {
      run(make.allgather(present("input", input), output));
    } finally {
      done(input, output);
    }
  }

  /** Starts {@link #allgather(Payload, Payload)}. */
  public Work allgatherAsync(Payload input, Payload output) {
    return start(make.allgather(present("input", input), output));
  }

  /**
   * Brings together blocks of different lengths at every rank.
   *
   * @param x room for all blocks, in the order of ranks without gaps; this rank's in its place
   * @param counts elements of each rank's block, the same at all ranks
   */
  public void allgatherv(Payload x, long[] counts) {
    try {
      run(make.allgatherv(null, x, counts));
    } finally {
      done(x);
    }
  }

  /** Starts {@link #allgatherv(Payload, long[])}. */
  public Work allgathervAsync(Payload x, long[] counts) {
    return start(make.allgatherv(null, x, counts));
  }

  /**
   * Brings together blocks of different lengths at every rank.
   *
   * @param input this rank's block
   * @param output where all blocks go, in the order of ranks without gaps
   * @param counts elements of each rank's block, the same at all ranks
   */
  public void allgatherv(Payload input, Payload output, long[] counts) {
    try {
      run(make.allgatherv(present("input", input), output, counts));
    } finally {
      done(input, output);
    }
  }

  /** Starts {@link #allgatherv(Payload, Payload, long[])}. */
  public Work allgathervAsync(Payload input, Payload output, long[] counts) {
    return start(make.allgatherv(present("input", input), output, counts));
  }

  /**
   * Brings all ranks' blocks together at the root.
   *
   * @param x at the root room for all blocks, in the order of ranks, its own in its place;
   *     elsewhere this rank's block
   */
  public void gather(Payload x, int root) {
    try {
      run(make.gather(null, x, root));
    } finally {
      done(x);
    }
  }

  /** Starts {@link #gather(Payload, int)}. */
  public Work gatherAsync(Payload x, int root) {
    return start(make.gather(null, x, root));
  }

  /**
   * Brings all ranks' blocks together at the root.
   *
   * @param input this rank's block
   * @param output where all blocks go at the root; ignored elsewhere, and may be null there
   */
  public void gather(Payload input, Payload output, int root) {
    try {
      run(make.gather(present("input", input), output, root));
    } finally {
      done(input, output);
    }
  }

  /** Starts {@link #gather(Payload, Payload, int)}. */
  public Work gatherAsync(Payload input, Payload output, int root) {
    return start(make.gather(present("input", input), output, root));
  }

  /**
   * Brings together blocks of different lengths at the root.
   *
   * @param x as in {@link #gather(Payload, int)}
   * @param counts elements of each rank's block, the same at all ranks
   */
  public void gatherv(Payload x, long[] counts, int root) {
    try {
      run(make.gatherv(null, x, counts, root));
    } finally {
      done(x);
    }
  }

  /** Starts {@link #gatherv(Payload, long[], int)}. */
  public Work gathervAsync(Payload x, long[] counts, int root) {
    return start(make.gatherv(null, x, counts, root));
  }

  /**
   * Brings together blocks of different lengths at the root.
   *
   * @param output where all blocks go at the root; ignored elsewhere, and may be null there
   * @param counts elements of each rank's block, the same at all ranks
   */
  public void gatherv(Payload input, Payload output, long[] counts, int root) {
    try {
      run(make.gatherv(present("input", input), output, counts, root));
    } finally {
      done(input, output);
    }
  }

  /** Starts {@link #gatherv(Payload, Payload, long[], int)}. */
  public Work gathervAsync(Payload input, Payload output, long[] counts, int root) {
    return start(make.gatherv(present("input", input), output, counts, root));
  }
}
