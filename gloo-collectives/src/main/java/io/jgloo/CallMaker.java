package io.jgloo;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.execution.Call;
import org.jspecify.annotations.NullUnmarked;

/**
 * Checks the arguments of a collective and describes the call.
 *
 * <p>In these methods a null input means that the call is in place, and a null output that this
 * rank gets no result. Counts are elements; in lists, one for each rank.
 *
 * <p><em>Threads</em>: any.
 */
@NullUnmarked // what may be null depends on the collective and on whether this rank is the root
final class CallMaker {

  private final Pool<Call> calls;
  private final int rank;
  private final int size;
  private final String algorithm;
  private final long timeoutNanos;
  private final long tag;

  CallMaker(Connection connection, CallOptions options) {
    calls = connection.calls();
    rank = connection.mesh().membership().rank();
    size = connection.mesh().membership().size();
    algorithm = options.algorithm().orElse(null);
    tag = options.tag();
    timeoutNanos = Connection.nanos(options.timeout().orElse(connection.timeout()));
  }

  /** Forgets the caller's memory and keeps the object for another call. */
  void recycle(Call call) {
    call.clear();
    calls.give(call);
  }

  /** The input of a call that has an input and an output. */
  static Payload given(Payload input) {
    return Arguments.present("input", input);
  }

  /** The input of a call that has one at the root only. */
  Payload atRoot(Payload input, int root) {
    return rank == root ? given(input) : input;
  }

  /** A call without memory. */
  Call bare(Collective collective, DataType type, ReduceOp op, long count, int root) {
    return calls.take().of(collective, type, op, count, root).by(algorithm, timeoutNanos).at(tag);
  }

  /** Allreduce, scan, exscan: input and output are alike. */
  Call alike(Collective collective, Payload input, Payload output, ReduceOp op) {
    reduces(input == null ? output : input, op);
    if (op.averages() && collective != Collective.ALLREDUCE) {
      throw new IllegalArgumentException(
          "op " + op + " has no meaning in a " + collective.label() + ", which ends with ranks");
    }
    if (input != null) {
      like(input, output);
    } else if (collective == Collective.EXSCAN && rank == 0) {
      return of(collective, output, null, op, output.count(), 0); // its vector stays as it is
    }
    return of(collective, input, output, op, output.count(), 0);
  }

  Call reduce(Payload input, Payload output, ReduceOp op, int root) {
    Arguments.rank("root", root, size);
    Payload given = input == null ? output : input;
    reduces(given, op);
    if (rank != root) {
      return of(Collective.REDUCE, given, null, op, given.count(), root);
    }
    if (input != null) {
      like(input, output);
    }
    return of(Collective.REDUCE, input, output, op, given.count(), root);
  }

  Call reduceScatter(Payload input, Payload output, ReduceOp op) {
    Payload vector = input == null ? output : input;
    reduces(vector, op);
    long count = share(input == null ? "x" : "input", vector, op.width());
    if (input != null) {
      counts("output", output, count);
    }
    return of(Collective.REDUCE_SCATTER, input, output, op, count, 0);
  }

  Call reduceScatterv(Payload input, Payload output, long[] counts, ReduceOp op) {
    Payload vector = input == null ? output : input;
    reduces(vector, op);
    whole(input == null ? "x" : "input", vector, "counts", counts, op.width());
    if (input != null) {
      counts("output", output, counts[rank]);
    }
    return of(Collective.REDUCE_SCATTERV, input, output, op, 0, 0).counts(counts, counts);
  }

  Call broadcast(Payload input, Payload output, int root) {
    Arguments.present(nameOf(input), output);
    Arguments.rank("root", root, size);
    if (rank == root && input != null) {
      like(input, output);
    }
    return of(
        Collective.BROADCAST, rank == root ? input : null, output, null, output.count(), root);
  }

  Call allgather(Payload input, Payload output) {
    Arguments.present(nameOf(input), output);
    long count = share(nameOf(input), output, 1);
    if (input != null) {
      counts("input", input, count);
    }
    return of(Collective.ALLGATHER, input, output, null, count, 0);
  }

  Call allgatherv(Payload input, Payload output, long[] counts) {
    whole(nameOf(input), output, "counts", counts, 1);
    if (input != null) {
      counts("input", input, counts[rank]);
    }
    return of(Collective.ALLGATHERV, input, output, null, 0, 0).counts(counts, counts);
  }

  Call gather(Payload input, Payload output, int root) {
    Arguments.rank("root", root, size);
    if (rank != root) {
      Payload given = input == null ? output : input;
      Arguments.present("x", given);
      return of(Collective.GATHER, given, null, null, given.count(), root);
    }
    Arguments.present(nameOf(input), output);
    long count = share(nameOf(input), output, 1);
    if (input != null) {
      counts("input", input, count);
    }
    return of(Collective.GATHER, input, output, null, count, root);
  }

  Call gatherv(Payload input, Payload output, long[] counts, int root) {
    Arguments.rank("root", root, size);
    if (rank != root) {
      Payload given = input == null ? output : input;
      Arguments.present("x", given);
      sum("counts", counts, 1);
      counts("input", given, counts[rank]);
      return of(Collective.GATHERV, given, null, null, 0, root).counts(counts, counts);
    }
    whole(nameOf(input), output, "counts", counts, 1);
    if (input != null) {
      counts("input", input, counts[rank]);
    }
    return of(Collective.GATHERV, input, output, null, 0, root).counts(counts, counts);
  }

  Call scatter(Payload input, Payload output, int root) {
    Arguments.rank("root", root, size);
    if (rank != root) {
      Arguments.present("output", output);
      return of(Collective.SCATTER, null, output, null, output.count(), root);
    }
    Payload vector = input == null ? output : input;
    Arguments.present("x", vector);
    long count = share(input == null ? "x" : "input", vector, 1);
    if (input != null) {
      counts("output", output, count);
    }
    return of(Collective.SCATTER, input, output, null, count, root);
  }

  Call scatterv(Payload input, Payload output, long[] counts, int root) {
    Arguments.rank("root", root, size);
    if (rank != root) {
      sum("counts", counts, 1);
      counts("output", output, counts[rank]);
      return of(Collective.SCATTERV, null, output, null, 0, root).counts(counts, counts);
    }
    Payload vector = input == null ? output : input;
    Arguments.present("x", vector);
    whole(input == null ? "x" : "input", vector, "counts", counts, 1);
    if (input != null) {
      counts("output", output, counts[rank]);
    }
    return of(Collective.SCATTERV, input, output, null, 0, root).counts(counts, counts);
  }

  Call alltoall(Payload input, Payload output) {
    Arguments.present(nameOf(input), output);
    long count = share(nameOf(input), output, 1);
    if (input != null) {
      like(input, output);
    }
    return of(Collective.ALLTOALL, input, output, null, count, 0);
  }

  Call alltoallv(Payload input, long[] sent, Payload output, long[] received) {
    whole(nameOf(input), output, "received counts", received, 1);
    if (input != null) {
      whole("input", input, "sent counts", sent, 1);
    } else {
      sent = received;
    }
    if (sent[rank] != received[rank]) {
      throw new IllegalArgumentException(
          ("this rank, " + rank + ", must receive from itself what it sends, " + sent[rank])
              + (" elements, but receives " + received[rank]));
    }
    return of(Collective.ALLTOALLV, input, output, null, 0, 0).counts(sent, received);
  }

  /** The caller's name for the vector that receives the result. */
  private static String nameOf(Payload input) {
    return input == null ? "x" : "output";
  }

  private Call of(
      Collective collective, Payload input, Payload output, ReduceOp op, long count, int root) {
    DataType type = (output == null ? input : output).type();
    if (input != null && output != null) {
      if (input.type() != output.type()) {
        throw new IllegalArgumentException(
            "output must be of the input's type, " + input + ", but is " + output);
      }
      if (input.overlaps(output)) {
        throw new IllegalArgumentException(
            "input and output must not overlap; with one vector for both the call is in place");
      }
    }
    return bare(collective, type, op, count, root)
        .on(input == null ? null : input.region(), output == null ? null : output.region());
  }

  private static void reduces(Payload x, ReduceOp op) {
    if (x == null || op == null) {
      throw Arguments.missing(x == null ? "x" : "op");
    }
    if (!op.appliesTo(x.type())) {
      throw new IllegalArgumentException(
          "op " + op + " has no meaning on " + Arguments.name(x.type()));
    }
    if (x.count() % op.width() != 0) {
      throw new IllegalArgumentException(
          "count must be a multiple of " + op + "'s width " + op.width() + ", but is " + x.count());
    }
  }

  private static void like(Payload input, Payload output) {
    Arguments.present("output", output);
    if (input.type() != output.type() || input.count() != output.count()) {
      throw new IllegalArgumentException(
          "output must be as the input, " + input + ", but is " + output);
    }
  }

  /** Each rank's share of a vector, which must be a whole one. */
  private long share(String name, Payload x, int width) {
    long each = (long) size * width;
    if (x.count() % each != 0) {
      throw new IllegalArgumentException(
          (name + " must hold a multiple of " + each + " elements")
              + (" for " + size + " ranks, but is " + x));
    }
    return x.count() / size;
  }

  private static void counts(String name, Payload x, long count) {
    Arguments.present(name, x);
    if (x.count() != count) {
      throw new IllegalArgumentException(
          name + " must hold " + count + " elements at this rank, but is " + x);
    }
  }

  private void whole(String name, Payload x, String list, long[] counts, int width) {
    Arguments.present(name, x);
    long sum = sum(list, counts, width);
    if (x.count() != sum) {
      throw new IllegalArgumentException(
          name + " must hold " + sum + " elements, the sum of " + list + ", but is " + x);
    }
  }

  private long sum(String list, long[] counts, int width) {
    Arguments.present(list, counts);
    if (counts.length != size) {
      throw new IllegalArgumentException(
          list + " must be one for each of " + size + " ranks, but are " + counts.length);
    }
    long sum = 0;
    for (int each = 0; each < size; each++) {
      long count = counts[each];
      if (count < 0 || count > Long.MAX_VALUE - sum) {
        throw new IllegalArgumentException(
            list
                + " must not be negative nor beyond 2^63 - 1, but rank "
                + each
                + "'s is "
                + count);
      }
      if (count % width != 0) {
        throw new IllegalArgumentException(
            (list + " must be multiples of the operation's width " + width)
                + (", but rank " + each + "'s is " + count));
      }
      sum += count;
    }
    return sum;
  }
}
