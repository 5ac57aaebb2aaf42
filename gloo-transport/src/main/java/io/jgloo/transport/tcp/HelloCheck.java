package io.jgloo.transport.tcp;

import io.jgloo.transport.tcp.Welcome.Status;

/**
 * Judges who says hello: whether it is of this group, and may have what it came for.
 *
 * <p><i>Threads</i>: under the mesh's lock.
 */
final class HelloCheck {

  private final TcpMesh mesh;
  private final ConnectionTable connectionTable;
  private final LatePeers latePeers;

  HelloCheck(TcpMesh mesh, ConnectionTable connectionTable, LatePeers latePeers) {
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
   * A notice is believed, and a question answered, of the very process that is, or is to be, at the
   * other end of a pair.
   */
  private Status onNotice(Hello hello) {
    int peer = hello.rank();
    boolean another = peer >= 0 && peer < mesh.size() && peer != mesh.rank();
    return another && connectionTable.knows(peer, hello.source())
        ? Status.ACCEPTED
        : Status.WRONG_RANK;
  }

  /** Before this rank has been told to connect it does not know where the others are. */
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
    // Its own later attempt may replace an earlier one; a newcomer only one we do not expect.
    boolean settled =
        mesh.isStarted() && (!connectionTable.onDemand() || mesh.streamAt(peer).wasConnected());
    if (settled || connectionTable.isTaken(peer, hello.source())) {
      return Status.DUPLICATE;
    }
    return onConnections(hello);
  }

  private Status onConnections(Hello hello) {
    if (hello.connections() != mesh.settings().connections()) {
      return Status.WRONG_CONNECTIONS;
    }
    // One that is not the next belongs to an attempt that was given up; the dialler begins anew.
    return connectionTable.isNext(hello) ? Status.ACCEPTED : Status.NOT_YET;
  }
}
