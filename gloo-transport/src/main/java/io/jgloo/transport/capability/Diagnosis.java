package io.jgloo.transport.capability;

import io.jgloo.transport.Mesh;
import io.jgloo.transport.MismatchException;
import io.jgloo.transport.PeerDepartedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The report of a mesh on itself: its counters, when its pairs are connected, and which ranks hold
 * up a call.
 *
 * <p><i>Threads</i>: any.
 */
public interface Diagnosis {

  /** The diagnosis of a mesh; one without counters where the mesh has none. */
  static Diagnosis of(Mesh mesh) {
    return mesh.capability(Diagnosis.class).orElse(Map::of);
  }

  /** Counters: name to value, such as bytes and messages moved. */
  Map<String, Long> counters();

  /**
   * Whether a pair is connected when it is first used: {@link Mesh#connect} returns at once, and
   * its timeout is what each pair has for connecting then.
   */
  default boolean connectsOnFirstUse() {
    return false;
  }

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
  default CompletableFuture<Blockers> findBlockers(long slot, Duration patience) {
    return CompletableFuture.completedFuture(Blockers.NONE);
  }

  /**
   * Notes the last call of this rank before the mesh is closed. A peer for which this rank had
   * another call in that slot gets a {@link MismatchException} where it would get a {@link
   * PeerDepartedException}.
   */
  default void lastCall(MismatchException.Side call) {}
}
