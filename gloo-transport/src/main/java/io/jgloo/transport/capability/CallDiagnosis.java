package io.jgloo.transport.capability;

import io.jgloo.transport.MismatchException;
import io.jgloo.transport.PeerDepartedException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Finds out which ranks hold up a call, and tells them the last call of a rank that leaves.
 *
 * <p><i>Threads</i>: any.
 */
public interface CallDiagnosis {

  /**
   * The ranks that hold up a call: other ranks wait for them.
   *
   * @param silent ranks that do not answer: their process is stopped, or cannot be reached
   * @param late ranks that answer and wait for no rank: they have not made the call yet, or compute
   */
  record Blockers(List<Integer> silent, List<Integer> late) {

    /** No such rank has been found. */
    public static final Blockers NONE = new Blockers(List.of(), List.of());

    public Blockers {
      silent = List.copyOf(silent);
      late = List.copyOf(late);
    }
  }

  /**
   * Finds the ranks that hold up a call, by asking: each awaited rank answers which ranks it waits
   * for, and so on to those that do not answer or wait for no rank.
   *
   * @param slot of the call; messages that are not done count on the slots of its space up to it
   * @param patience how long a rank has to answer
   * @return {@link Blockers#NONE} if there is none, or if this mesh cannot ask its peers; may not
   *     end once the mesh has
   */
  CompletableFuture<Blockers> findBlockers(long slot, Duration patience);

  /**
   * Notes the last call of this rank before the mesh is closed. A peer for which this rank had
   * another call in that slot gets a {@link MismatchException} where it would get a {@link
   * PeerDepartedException}.
   */
  void lastCall(MismatchException.Side call);
}
