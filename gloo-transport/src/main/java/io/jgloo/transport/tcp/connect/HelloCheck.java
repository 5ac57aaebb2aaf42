package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.tcp.wire.Hello;
import io.jgloo.transport.tcp.wire.Welcome.Status;

/**
 * Checks a hello: whether it is of this group, and whether its request can be granted.
 *
 * <p><i>Threads</i>: under the mesh's lock.
 */
public final class HelloCheck {

  private final ConnectMesh mesh;
  private final ConnectionTable connectionTable;
  private final LatePeers latePeers;

  HelloCheck(ConnectMesh mesh, ConnectionTable connectionTable, LatePeers latePeers) {
    this.mesh = mesh;
    this.connectionTable = connectionTable;
    this.latePeers = latePeers;
  }

  Status check(Hello hello) {
    Status status = onGroup(hello);
    if (status != Status.ACCEPTED) {
      return status;
    }
    return switch (hello.purpose()) {
      case NOTICE, ASK -> onNotice(hello);
      case SUMMON -> onSummons(hello);
      default -> onJoining(hello);
    };
  }

  private Status onGroup(Hello hello) {
    if (mesh.hasEnded()) {
      return Status.UNKNOWN;
    }
    if (hello.size() != mesh.size()) {
      return Status.WRONG_SIZE;
    }
    boolean same =
        hello.group() == Hello.hash(mesh.membership().group())
            && hello.epoch() == mesh.membership().epoch();
    return same ? Status.ACCEPTED : Status.WRONG_GROUP;
  }

  /**
   * A notice or a question is accepted only from the process that is, or is to be, the peer of a
   * pair.
   */
  private Status onNotice(Hello hello) {
    int peer = hello.rank();
    boolean another = peer >= 0 && peer < mesh.size() && peer != mesh.rank();
    return another && connectionTable.knows(peer, hello.source())
        ? Status.ACCEPTED
        : Status.WRONG_RANK;
  }

  /** Before {@link Mesh#connect} this rank does not have the addresses of its peers. */
  private Status onSummons(Hello hello) {
    if (!connectionTable.onDemand() || !mesh.isStarted()) {
      return Status.NOT_YET;
    }
    if (hello.rank() < 0 || hello.rank() >= mesh.rank()) {
      return Status.WRONG_RANK;
    }
    boolean tooEarly = mesh.isPairwise() && !latePeers.isAwaited(hello.rank(), hello.source());
    return tooEarly ? Status.NOT_YET : onNotice(hello);
  }

  private Status onJoining(Hello hello) {
    int peer = hello.rank();
    if (hello.targetRank() != mesh.rank() || peer <= mesh.rank() || peer >= mesh.size()) {
      return Status.WRONG_RANK;
    }
    if (mesh.isPairwise()) {
      Status status = latePeers.onJoining(peer, hello.source());
      return status == Status.ACCEPTED ? onConnections(hello) : status;
    }
    // A later attempt of the expected process may replace an earlier one; another process only one
    // that is not expected.
    boolean settled =
        mesh.isStarted() && (!connectionTable.onDemand() || mesh.streamAt(peer).wasConnected());
    if (settled || connectionTable.isTaken(peer, hello.source())) {
      return Status.DUPLICATE;
    }
    return onConnections(hello);
  }

  private Status onConnections(Hello hello) {
    if (hello.options() != mesh.settings().pair().encode()) {
      return Status.WRONG_OPTIONS;
    }
    // A connection that is not the next belongs to an attempt that was dropped; the peer begins
    // again.
    return connectionTable.isNext(hello) ? Status.ACCEPTED : Status.NOT_YET;
  }
}
