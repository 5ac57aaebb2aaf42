package io.jgloo;

import io.jgloo.collectives.execution.Mailbox;
import io.jgloo.collectives.execution.Mailbox.Posting;
import io.jgloo.transport.Slot;
import java.util.BitSet;
import java.util.List;

/**
 * Checks the arguments of messages between two ranks, and sends and receives them.
 *
 * <p><em>Threads</em>: any.
 */
final class Messages {

  private final Mailbox mailbox;
  private final int rank;
  private final int size;
  private final long timeoutNanos;

  Messages(Connection connection, CallOptions options) {
    mailbox = connection.executor().mailbox();
    rank = connection.mesh().membership().rank();
    size = connection.mesh().membership().size();
    timeoutNanos = Connection.nanos(options.timeout().orElse(connection.timeout()));
  }

  void send(Payload x, int peer, long tag) {
    check(x, peer, tag);
    mailbox.send(peer, tag, x.type(), x.region(), timeoutNanos);
  }

  Work startSend(Payload x, int peer, long tag) {
    check(x, peer, tag);
    return new Work(mailbox.startSend(peer, tag, x.type(), x.region(), timeoutNanos));
  }

  void recv(Payload x, int peer, long tag) {
    check(x, peer, tag);
    mailbox.recv(peer, tag, x.type(), x.region(), timeoutNanos);
  }

  Work startRecv(Payload x, int peer, long tag) {
    check(x, peer, tag);
    return new Work(mailbox.startRecv(peer, tag, x.type(), x.region(), timeoutNanos));
  }

  int recvAny(Payload x, BitSet peers, long tag) {
    Arguments.present("peers", peers);
    if (peers.isEmpty() || peers.length() > size || peers.get(rank)) {
      throw new IllegalArgumentException(
          ("peers must be ranks below " + size + " and not " + rank)
              + (", and at least one, but are " + peers));
    }
    check(x, tag);
    return mailbox.recvAny(peers, tag, x.type(), x.region(), timeoutNanos);
  }

  Work startSendRecv(Payload sent, int to, Payload received, int from, long tag) {
    Arguments.rank("to", to, size);
    Arguments.rank("from", from, size);
    Arguments.present("sent", sent);
    if (sent.overlaps(Arguments.present("received", received))) {
      throw new IllegalArgumentException("sent and received must not overlap");
    }
    if (to != rank && from != rank) {
      return start(List.of(posting(false, received, from, tag), posting(true, sent, to, tag)));
    }
    if (to != from) {
      throw new IllegalArgumentException(
          ("to and from must both be this rank, " + rank)
              + (", or neither, but are " + to + " and " + from));
    }
    if (sent.type() != received.type() || sent.count() != received.count()) {
      throw new IllegalArgumentException(
          "received must be as sent, " + sent + ", but is " + received);
    }
    sent.copyTo(received);
    return Work.DONE;
  }

  /** Describes a message of a batch; the peer may be this rank. */
  Posting posting(boolean sends, Payload x, int peer, long tag) {
    Arguments.rank("peer", peer, size);
    check(x, tag);
    return new Posting(sends, peer, tag, x.type(), x.region());
  }

  /** Starts messages with other ranks together. */
  Work start(List<Posting> postings) {
    return new Work(mailbox.start(postings, timeoutNanos));
  }

  boolean isThisRank(int peer) {
    return peer == rank;
  }

  private void check(Payload x, int peer, long tag) {
    if (Arguments.rank("peer", peer, size) == rank) {
      throw new IllegalArgumentException("peer must be another rank, but is this one, " + peer);
    }
    check(x, tag);
  }

  private static void check(Payload x, long tag) {
    Arguments.present("x", x);
    if (tag < 0 || tag > Slot.MAX_NUMBER) {
      throw new IllegalArgumentException("tag must be 0 to 2^56 - 1, but is " + tag);
    }
  }
}
