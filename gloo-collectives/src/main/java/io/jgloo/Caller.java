package io.jgloo;

import io.jgloo.collectives.Call;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Mailbox;
import io.jgloo.transport.Slot;
import java.util.BitSet;

/**
 * Checks and makes the calls of a group, with one set of options.
 *
 * <p><em>Threads</em>: any.
 */
final class Caller {

  private final Connection connection;
  private final Spares<Call> calls;
  private final Mailbox mailbox;
  private final int rank;
  private final int size;
  private final String algorithm;
  private final long timeoutNanos;

  Caller(Connection connection, CallOptions options) {
    this.connection = connection;
    calls = connection.calls();
    mailbox = connection.executor().mailbox();
    rank = connection.mesh().rank();
    size = connection.mesh().size();
    algorithm = options.algorithm().orElse(null);
    timeoutNanos = Connection.nanos(options.timeout().orElse(connection.timeout()));
  }

  void run(Call call) {
    try {
      connection.executor().run(call);
    } finally {
      done(call);
    }
  }

  Work start(Call call) {
    try {
      return new Work(connection.executor().start(call));
    } finally {
      done(call);
    }
  }

  private void done(Call call) {
    call.clear();
    calls.give(call);
  }

  Call call(Collective collective, DataType type, ReduceOp op, long count, int root) {
    return calls.take().of(collective, type, op, count, root).by(algorithm, timeoutNanos);
  }

  Call inPlace(Collective collective, Payload x, ReduceOp op, int root) {
    Arguments.present("payload", x);
    Arguments.rank("root", root, size);
    Call call = call(collective, x.type(), op, x.count(), root);
    x.describe(call.output());
    return call;
  }

  Call reduceInPlace(Collective collective, Payload x, ReduceOp op, int root) {
    reduces(x, op);
    return inPlace(collective, x, op, root);
  }

  Call reduce(Collective collective, Payload input, Payload output, ReduceOp op, int root) {
    reduces(input, op);
    Arguments.present("output", output);
    if (input.type() != output.type() || input.count() != output.count()) {
      throw new IllegalArgumentException(
          "output must be as the input, " + input + ", but is " + output);
    }
    if (input.overlaps(output)) {
      throw new IllegalArgumentException(
          "input and output must not overlap; with one vector for both the call is in place");
    }
    Call call = inPlace(collective, output, op, root);
    input.describe(call.input());
    return call;
  }

  private static void reduces(Payload x, ReduceOp op) {
    Arguments.present("payload", x);
    if (!Arguments.present("op", op).appliesTo(x.type())) {
      throw new IllegalArgumentException(
          "op " + op + " has no meaning on " + Arguments.name(x.type()));
    }
    if (x.count() % op.width() != 0) {
      throw new IllegalArgumentException(
          "count must be a multiple of " + op + "'s width " + op.width() + ", but is " + x.count());
    }
  }

  String explain(Collective collective, DataType type, long count) {
    Arguments.present("collective", collective);
    Call call = call(collective, Arguments.present("type", type), null, count, 0);
    try {
      return connection.executor().algorithm(call);
    } finally {
      done(call);
    }
  }

  void send(Payload x, int peer, long tag) {
    Call call = message(x, tag);
    try {
      mailbox.send(peer(peer), tag, x.type(), call.output(), timeoutNanos);
    } finally {
      done(call);
    }
  }

  Work startSend(Payload x, int peer, long tag) {
    Call call = message(x, tag);
    try {
      return new Work(mailbox.startSend(peer(peer), tag, x.type(), call.output(), timeoutNanos));
    } finally {
      done(call);
    }
  }

  void recv(Payload x, int peer, long tag) {
    Call call = message(x, tag);
    try {
      mailbox.recv(peer(peer), tag, x.type(), call.output(), timeoutNanos);
    } finally {
      done(call);
    }
  }

  Work startRecv(Payload x, int peer, long tag) {
    Call call = message(x, tag);
    try {
      return new Work(mailbox.startRecv(peer(peer), tag, x.type(), call.output(), timeoutNanos));
    } finally {
      done(call);
    }
  }

  int recvAny(Payload x, BitSet peers, long tag) {
    Arguments.present("peers", peers);
    if (peers.isEmpty() || peers.length() > size || peers.get(rank)) {
      throw new IllegalArgumentException(
          ("peers must be ranks below " + size + " and not " + rank)
              + (", and at least one, but are " + peers));
    }
    Call call = message(x, tag);
    try {
      return mailbox.recvAny(peers, tag, x.type(), call.output(), timeoutNanos);
    } finally {
      done(call);
    }
  }

  private int peer(int peer) {
    if (Arguments.rank("peer", peer, size) == rank) {
      throw new IllegalArgumentException("peer must be another rank, but is this one, " + peer);
    }
    return peer;
  }

  /** Describes the memory of a message; the rest of a call does not matter. */
  private Call message(Payload x, long tag) {
    Arguments.present("payload", x);
    if (tag < 0 || tag > Slot.MAX_NUMBER) {
      throw new IllegalArgumentException("tag must be 0 to 2^56 - 1, but is " + tag);
    }
    Call call = call(Collective.BARRIER, x.type(), null, x.count(), 0);
    x.describe(call.output());
    return call;
  }

  /** Gives back a payload that comes again; any but those stay as they are. */
  static void spare(Payload payload) {
    if (payload != null) {
      payload.spare();
    }
  }
}
