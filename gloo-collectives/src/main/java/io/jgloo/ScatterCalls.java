package io.jgloo;

import static io.jgloo.Arguments.present;

/**
 * The calls of a group that hand elements out: from one rank to all, and from all to all.
 *
 * <p>A call with one vector works in place; one with input and output leaves the input as it is.
 */
abstract class ScatterCalls extends GatherCalls {

  ScatterCalls(Connection connection, CallOptions options) {
    super(connection, options);
  }

  /**
   * Sends the root's vector to all ranks.
   *
   * @param x the vector; where it goes, except at the root
   */
  public void broadcast(Payload x, int root) {
    try {
      run(make.broadcast(null, x, root));
    } finally {
      done(x);
    }
  }

  /** Starts {@link #broadcast(Payload, int)}. */
  public Work broadcastAsync(Payload x, int root) {
    return start(make.broadcast(null, x, root));
  }

  /**
   * Sends the root's vector to all ranks.
   *
   * @param input the vector at the root; ignored elsewhere, and may be null there
   * @param output where it goes, at the root too
   */
  public void broadcast(Payload input, Payload output, int root) {
    try {
      run(make.broadcast(source(input, root), output, root));
    } finally {
      done(input, output);
    }
  }

  /** Starts {@link #broadcast(Payload, Payload, int)}. */
  public Work broadcastAsync(Payload input, Payload output, int root) {
    return start(make.broadcast(source(input, root), output, root));
  }

  /**
   * Hands out the root's vector: rank r gets the r-th of as many equal blocks as there are ranks.
   *
   * @param x at the root the vector, which is left as it is, its own block in its place; elsewhere
   *     where this rank's block goes
   */
  public void scatter(Payload x, int root) {
    try {
      run(make.scatter(null, x, root));
    } finally {
      done(x);
    }
  }

  /** Starts {@link #scatter(Payload, int)}. */
  public Work scatterAsync(Payload x, int root) {
    return start(make.scatter(null, x, root));
  }

  /**
   * Hands out the root's vector: rank r gets the r-th of as many equal blocks as there are ranks.
   *
   * @param input the vector at the root; ignored elsewhere, and may be null there
   * @param output where this rank's block goes
   */
  public void scatter(Payload input, Payload output, int root) {
    try {
      run(make.scatter(source(input, root), output, root));
    } finally {
      done(input, output);
    }
  }

  /** Starts {@link #scatter(Payload, Payload, int)}. */
  public Work scatterAsync(Payload input, Payload output, int root) {
    return start(make.scatter(source(input, root), output, root));
  }

  /**
   * Hands out blocks of different lengths.
   *
   * @param x as in {@link #scatter(Payload, int)}
   * @param counts elements of each rank's block, the same at all ranks
   */
  public void scatterv(Payload x, long[] counts, int root) {
    try {
      run(make.scatterv(null, x, counts, root));
    } finally {
      done(x);
    }
  }

  /** Starts {@link #scatterv(Payload, long[], int)}. */
  public Work scattervAsync(Payload x, long[] counts, int root) {
    return start(make.scatterv(null, x, counts, root));
  }

  /**
   * Hands out blocks of different lengths.
   *
   * @param input the vector at the root; ignored elsewhere, and may be null there
   * @param counts elements of each rank's block, the same at all ranks
   */
  public void scatterv(Payload input, Payload output, long[] counts, int root) {
    try {
      run(make.scatterv(source(input, root), output, counts, root));
    } finally {
      done(input, output);
    }
  }

  /** Starts {@link #scatterv(Payload, Payload, long[], int)}. */
  public Work scattervAsync(Payload input, Payload output, long[] counts, int root) {
    return start(make.scatterv(source(input, root), output, counts, root));
  }

  /**
   * Every rank sends a block to every rank.
   *
   * @param x as many equal blocks as there are ranks; block r, which goes to rank r, is replaced by
   *     the one that comes from there
   */
  public void alltoall(Payload x) {
    try {
      run(make.alltoall(null, x));
    } finally {
      done(x);
    }
  }

  /** Starts {@link #alltoall(Payload)}. */
  public Work alltoallAsync(Payload x) {
    return start(make.alltoall(null, x));
  }

  /**
   * Every rank sends a block to every rank.
   *
   * @param input as many equal blocks as there are ranks; block r goes to rank r
   * @param output where the blocks go, in the order of the ranks they come from
   */
  public void alltoall(Payload input, Payload output) {
    try {
      run(make.alltoall(present("input", input), output));
    } finally {
      done(input, output);
    }
  }

  /** Starts {@link #alltoall(Payload, Payload)}. */
  public Work alltoallAsync(Payload input, Payload output) {
    return start(make.alltoall(present("input", input), output));
  }

  /**
   * Exchanges blocks of different lengths; between two ranks the same length both ways.
   *
   * @param x this rank's blocks for all ranks without gaps, each replaced by the one that comes
   * @param counts elements of this rank's block for and from each rank
   */
  public void alltoallv(Payload x, long[] counts) {
    try {
      run(make.alltoallv(null, counts, x, counts));
    } finally {
      done(x);
    }
  }

  /** Starts {@link #alltoallv(Payload, long[])}. */
  public Work alltoallvAsync(Payload x, long[] counts) {
    return start(make.alltoallv(null, counts, x, counts));
  }

  /**
   * Exchanges blocks of different lengths.
   *
   * @param input this rank's blocks for all ranks, without gaps
   * @param sent elements of this rank's block for each rank
   * @param output where the blocks go, in the order of the ranks they come from, without gaps
   * @param received elements of each rank's block for this one, as that rank sends it
   */
  public void alltoallv(Payload input, long[] sent, Payload output, long[] received) {
    try {
      run(make.alltoallv(present("input", input), sent, output, received));
    } finally {
      done(input, output);
    }
  }

  /** Starts {@link #alltoallv(Payload, long[], Payload, long[])}. */
  public Work alltoallvAsync(Payload input, long[] sent, Payload output, long[] received) {
    return start(make.alltoallv(present("input", input), sent, output, received));
  }

  private Payload source(Payload input, int root) {
    return connection.mesh().rank() == root ? present("input", input) : input;
  }
}
