package io.jgloo.transport.sim;

import io.jgloo.transport.AbortedException;
import io.jgloo.transport.GlooException;
import io.jgloo.transport.MismatchException;
import io.jgloo.transport.OperationTimeoutException;
import io.jgloo.transport.PeerDepartedException;
import io.jgloo.transport.PeerLostException;
import java.util.List;

/**
 * Why a rank gave up, as it tells its peers.
 *
 * @param origin rank that gave up first
 * @param cause what it met
 */
record Notice(int origin, GlooException cause) {

  private static final int MAX_CHARACTERS = 1000;

  static Notice of(int rank, GlooException cause) {
    return new Notice(cause instanceof AbortedException aborted ? aborted.origin() : rank, cause);
  }

  /** What it means to another rank: the same, but that it is not to blame itself. */
  GlooException heardBy(int rank) {
    String message = String.valueOf(cause.getMessage());
    String text =
        ("rank " + origin + " gave up: ")
            + message.substring(0, Math.min(message.length(), MAX_CHARACTERS));
    if (cause instanceof PeerLostException lost && lost.peer() != rank) {
      return cause instanceof PeerDepartedException
          ? new PeerDepartedException(lost.peer(), text)
          : new PeerLostException(lost.peer(), text, null);
    }
    if (cause instanceof OperationTimeoutException timeout) {
      List<Integer> others = timeout.missingPeers().stream().filter(peer -> peer != rank).toList();
      return new OperationTimeoutException(text, others, timeout.isConfirmed());
    }
    if (cause instanceof MismatchException mismatch && mismatch.first() != null) {
      return new MismatchException(text, mismatch.first(), mismatch.second());
    }
    return new AbortedException(origin, text);
  }
}
