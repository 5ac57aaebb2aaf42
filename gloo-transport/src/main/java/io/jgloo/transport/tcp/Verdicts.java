package io.jgloo.transport.tcp;

import io.jgloo.transport.tcp.Welcome.Verdict;

/**
 * Judges who says hello: whether it is of this group, and may have what it came for.
 *
 * <p><i>Threads</i>: under the mesh's lock.
 */
final class Verdicts {

  private final TcpMesh mesh;
  private final Roster roster;
  private final Newcomers newcomers;

  Verdicts(TcpMesh mesh, Roster roster, Newcomers newcomers) {
    this.mesh = mesh;
    this.roster = roster;
    this.newcomers = newcomers;
  }

  Verdict on(Hello hello) {
    Verdict verdict = onGroup(hello);
    if (verdict != Verdict.ACCEPTED) {
      return verdict;
    }
    return switch (hello.purpose()) {
      case NOTICE, ASK -> onNotice(hello);
      case SUMMON -> onSummons(hello);
      default -> onJoining(hello);
    };
  }

  private Verdict onGroup(Hello hello) {
    if (mesh.hasEnded()) {
      return Verdict.UNKNOWN;
    }
    if (hello.size() != mesh.size()) {
      return Verdict.WRONG_SIZE;
    }
    boolean same =
        hello.group() == Hello.hash(mesh.membership().group())
            && hello.epoch() == mesh.membership().epoch();
    return same ? Verdict.ACCEPTED : Verdict.WRONG_GROUP;
  }

  /**
   * A notice is believed, and a question answered, of the very process that is, or is to be, at the
   * other end of a pair.
   */
  private Verdict onNotice(Hello hello) {
    int peer = hello.rank();
    boolean another = peer >= 0 && peer < mesh.size() && peer != mesh.rank();
    return another && roster.knows(peer, hello.source()) ? Verdict.ACCEPTED : Verdict.WRONG_RANK;
  }

  /** Before this rank has been told to connect it does not know where the others are. */
  private Verdict onSummons(Hello hello) {
    if (!roster.onDemand() || !mesh.isStarted()) {
      return Verdict.NOT_YET;
    }
    if (hello.rank() < 0 || hello.rank() >= mesh.rank()) {
      return Verdict.WRONG_RANK;
    }
    boolean tooEarly = mesh.isPairwise() && !newcomers.isAwaited(hello.rank(), hello.source());
    return tooEarly ? Verdict.NOT_YET : onNotice(hello);
  }

  private Verdict onJoining(Hello hello) {
    int peer = hello.rank();
    if (hello.targetRank() != mesh.rank() || peer <= mesh.rank() || peer >= mesh.size()) {
      return Verdict.WRONG_RANK;
    }
    if (mesh.isPairwise()) {
      Verdict verdict = newcomers.onJoining(peer, hello.source());
      return verdict == Verdict.ACCEPTED ? onConnections(hello) : verdict;
    }
    // Its own later attempt may replace an earlier one; a newcomer only one we do not expect.
    boolean settled =
        mesh.isStarted() && (!roster.onDemand() || mesh.streamAt(peer).wasConnected());
    if (settled || roster.isTaken(peer, hello.source())) {
      return Verdict.DUPLICATE;
    }
    return onConnections(hello);
  }

  private Verdict onConnections(Hello hello) {
    if (hello.connections() != mesh.settings().connections()) {
      return Verdict.WRONG_CONNECTIONS;
    }
    // One that is not the next belongs to an attempt that was given up; the dialler begins anew.
    return roster.isNext(hello) ? Verdict.ACCEPTED : Verdict.NOT_YET;
  }
}
