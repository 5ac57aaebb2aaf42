package io.jgloo;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.execution.Call;
import io.jgloo.collectives.execution.Mailbox;
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
  private final CallMaker make;
  private final long timeoutNanos;

  Caller(Connection connection, CallOptions options, CallMaker make) {
    this.connection = connection;
    this.make = make;
    calls = connection.calls();
    mailbox = connection.executor().mailbox();
    rank = connection.mesh().rank();
    size = connection.mesh().size();
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

  String explain(Collective collective, DataType type, long count) {
    Arguments.present("collective", collective);
    Call call = make.bare(collective, Arguments.present("type", type), null, count, 0);
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
    Call call = make.bare(Collective.BARRIER, x.type(), null, x.count(), 0);
    x.describe(call.output());
    return call;
  }

  Work startSendRecv(Payload sent, int to, Payload received, int from, long tag) {
    Arguments.rank("to", to, size);
    Arguments.rank("from", from, size);
    Arguments.present("sent", sent);
    if (sent.overlaps(Arguments.present("received", received))) {
      throw new IllegalArgumentException("sent and received must not overlap");
    }
    if (to != rank && from != rank) {
      Work receiving = startRecv(received, from, tag);
      return receiving.and(startSend(sent, to, tag));
    }
    if (to != from) {
      throw new IllegalArgumentException(
          "to and from must both be this rank, "
              + rank
              + ", or neither, but are "
              + to
              + " and "
              + from);
    }
    if (sent.type() != received.type() || sent.count() != received.count()) {
      throw new IllegalArgumentException(
          "received must be as sent, " + sent + ", but is " + received);
    }
    sent.copyTo(received);
    return Work.DONE;
  }
}
