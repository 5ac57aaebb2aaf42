package io.jgloo;

import static io.jgloo.Arguments.present;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.ReduceOp;
import java.util.List;

/**
 * The calls of a group that combine the elements of all ranks.
 *
 * <p>A call with one vector works in place; one with input and output leaves the input as it is.
 */
abstract class ReduceCalls extends Calls {

  ReduceCalls(Connection connection, CallOptions options) {
    super(connection, options);
  }

  /**
   * Reduces all ranks' vectors element by element; every rank ends with the result, the same bits
   * everywhere.
   *
   * @param x this rank's vector, replaced by the result
   */
  public void allreduce(Payload x, ReduceOp op) {
    try {
      run(make.alike(Collective.ALLREDUCE, null, x, op));
    } finally {
      done(x);
    }
  }

  /** Starts {@link #allreduce(Payload, ReduceOp)}. */
  public Work allreduceAsync(Payload x, ReduceOp op) {
    return start(make.alike(Collective.ALLREDUCE, null, x, op));
  }

  /**
   * Reduces all ranks' vectors element by element, and leaves this rank's own as it is.
   *
   * @param input this rank's vector
   * @param output where the result goes, of the same type and count, with no byte in common
   */
  public void allreduce(Payload input, Payload output, ReduceOp op) {
    try {
      run(make.alike(Collective.ALLREDUCE, present("input", input), output, op));
    } finally {
      done(input, output);
    }
  }

  /** Starts {@link #allreduce(Payload, Payload, ReduceOp)}. */
  public Work allreduceAsync(Payload input, Payload output, ReduceOp op) {
    return start(make.alike(Collective.ALLREDUCE, present("input", input), output, op));
  }

  /**
   * Reduces all vectors of all ranks element by element; every vector ends with the result. This
   * rank's are reduced first, in the order of the list, so ranks need not have equally many.
   *
   * @param x this rank's vectors, each replaced by the result
   */
  public void allreduce(List<Payload> x, ReduceOp op) {
    run(make.alike(Collective.ALLREDUCE, null, SeveralMemory.of(x, x, op), op));
  }

  /** Starts {@link #allreduce(List, ReduceOp)}. */
  public Work allreduceAsync(List<Payload> x, ReduceOp op) {
    return start(make.alike(Collective.ALLREDUCE, null, SeveralMemory.of(x, x, op), op));
  }

  /**
   * Reduces all inputs of all ranks element by element; every output ends with the result.
   *
   * @param inputs this rank's vectors, at least one, all of one type and count
   * @param outputs where the result goes, at least one, alike; each may be an input, but not part
   *     of one
   * @throws IllegalArgumentException for an average of several inputs, which leaves open what to
   *     divide by
   */
  public void allreduce(List<Payload> inputs, List<Payload> outputs, ReduceOp op) {
    run(make.alike(Collective.ALLREDUCE, null, SeveralMemory.of(inputs, outputs, op), op));
  }

  /** Starts {@link #allreduce(List, List, ReduceOp)}. */
  public Work allreduceAsync(List<Payload> inputs, List<Payload> outputs, ReduceOp op) {
    return start(make.alike(Collective.ALLREDUCE, null, SeveralMemory.of(inputs, outputs, op), op));
  }

  /**
   * Reduces a list of vectors in one call, each element by element with the same one of all other
   * ranks; cheaper than a call for each when they are small. See {@link Payload#ofAll}.
   *
   * @param x this rank's vectors of one type, each replaced by its result
   */
  public void allreduceCoalesced(List<Payload> x, ReduceOp op) {
    run(make.alike(Collective.ALLREDUCE, null, Payload.ofAll(x), op));
  }

  /** Starts {@link #allreduceCoalesced}. */
  public Work allreduceCoalescedAsync(List<Payload> x, ReduceOp op) {
    return start(make.alike(Collective.ALLREDUCE, null, Payload.ofAll(x), op));
  }

  /**
   * Reduces all ranks' vectors element by element; the root ends with the result.
   *
   * @param x this rank's vector; at the root replaced by the result, elsewhere left as it is
   */
  public void reduce(Payload x, ReduceOp op, int root) {
    try {
      run(make.reduce(null, x, op, root));
    } finally {
      done(x);
    }
  }

  /** Starts {@link #reduce(Payload, ReduceOp, int)}. */
  public Work reduceAsync(Payload x, ReduceOp op, int root) {
    return start(make.reduce(null, x, op, root));
  }

  /**
   * Reduces all ranks' vectors element by element; the root ends with the result.
   *
   * @param output where the result goes at the root; ignored elsewhere, and may be null there
   */
  public void reduce(Payload input, Payload output, ReduceOp op, int root) {
    try {
      run(make.reduce(present("input", input), output, op, root));
    } finally {
      done(input, output);
    }
  }

  /** Starts {@link #reduce(Payload, Payload, ReduceOp, int)}. */
  public Work reduceAsync(Payload input, Payload output, ReduceOp op, int root) {
    return start(make.reduce(present("input", input), output, op, root));
  }

  /**
   * Reduces all ranks' vectors, of which each rank gets its block: rank r the r-th of as many equal
   * ones as there are ranks.
   *
   * @param x this rank's vector; its first block is replaced by the result, what follows is
   *     undefined after
   */
  public void reduceScatter(Payload x, ReduceOp op) {
    try {
      run(make.reduceScatter(null, x, op));
    } finally {
      done(x);
    }
  }

  /** Starts {@link #reduceScatter(Payload, ReduceOp)}. */
  public Work reduceScatterAsync(Payload x, ReduceOp op) {
    return start(make.reduceScatter(null, x, op));
  }

  /**
   * Reduces all ranks' vectors, of which each rank gets its block: rank r the r-th of as many equal
   * ones as there are ranks.
   *
   * @param input this rank's vector, as many times the output as there are ranks
   */
  public void reduceScatter(Payload input, Payload output, ReduceOp op) {
    try {
      run(make.reduceScatter(present("input", input), output, op));
    } finally {
      done(input, output);
    }
  }

  /** Starts {@link #reduceScatter(Payload, Payload, ReduceOp)}. */
  public Work reduceScatterAsync(Payload input, Payload output, ReduceOp op) {
    return start(make.reduceScatter(present("input", input), output, op));
  }

  /**
   * Reduces all ranks' vectors, of which rank r gets block r.
   *
   * @param x this rank's vector; the result replaces its beginning, what follows is undefined after
   * @param counts elements of each rank's block, the same at all ranks
   */
  public void reduceScatterv(Payload x, long[] counts, ReduceOp op) {
    try {
      run(make.reduceScatterv(null, x, counts, op));
    } finally {
      done(x);
    }
  }

  /** Starts {@link #reduceScatterv(Payload, long[], ReduceOp)}. */
  public Work reduceScattervAsync(Payload x, long[] counts, ReduceOp op) {
    return start(make.reduceScatterv(null, x, counts, op));
  }

  /**
   * Reduces all ranks' vectors, of which rank r gets block r.
   *
   * @param counts elements of each rank's block, the same at all ranks
   */
  public void reduceScatterv(Payload input, Payload output, long[] counts, ReduceOp op) {
    try {
      run(make.reduceScatterv(present("input", input), output, counts, op));
    } finally {
      done(input, output);
    }
  }

  /** Starts {@link #reduceScatterv(Payload, Payload, long[], ReduceOp)}. */
  public Work reduceScattervAsync(Payload input, Payload output, long[] counts, ReduceOp op) {
    return start(make.reduceScatterv(present("input", input), output, counts, op));
  }

  /**
   * Reduces the vectors of the ranks up to and including this one, in their order.
   *
   * @param x this rank's vector, replaced by the result
   */
  public void scan(Payload x, ReduceOp op) {
    try {
      run(make.alike(Collective.SCAN, null, x, op));
    } finally {
      done(x);
    }
  }

  /** Starts {@link #scan(Payload, ReduceOp)}. */
  public Work scanAsync(Payload x, ReduceOp op) {
    return start(make.alike(Collective.SCAN, null, x, op));
  }

  /** Reduces the vectors of the ranks up to and including this one, in their order. */
  public void scan(Payload input, Payload output, ReduceOp op) {
    try {
      run(make.alike(Collective.SCAN, present("input", input), output, op));
    } finally {
      done(input, output);
    }
  }

  /** Starts {@link #scan(Payload, Payload, ReduceOp)}. */
  public Work scanAsync(Payload input, Payload output, ReduceOp op) {
    return start(make.alike(Collective.SCAN, present("input", input), output, op));
  }

  /**
   * Reduces the vectors of the ranks before this one, in their order; rank 0's result is undefined.
   *
   * @param x this rank's vector, replaced by the result
   */
  public void exscan(Payload x, ReduceOp op) {
    try {
      run(make.alike(Collective.EXSCAN, null, x, op));
    } finally {
      done(x);
    }
  }

  /** Starts {@link #exscan(Payload, ReduceOp)}. */
  public Work exscanAsync(Payload x, ReduceOp op) {
    return start(make.alike(Collective.EXSCAN, null, x, op));
  }

  /**
   * Reduces the vectors of the ranks before this one, in their order; rank 0's output is not
   * written.
   */
  public void exscan(Payload input, Payload output, ReduceOp op) {
    try {
      run(make.alike(Collective.EXSCAN, present("input", input), output, op));
    } finally {
      done(input, output);
    }
  }

  /** Starts {@link #exscan(Payload, Payload, ReduceOp)}. */
  public Work exscanAsync(Payload input, Payload output, ReduceOp op) {
    return start(make.alike(Collective.EXSCAN, present("input", input), output, op));
  }
}
