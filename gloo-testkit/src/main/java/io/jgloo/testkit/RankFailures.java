package io.jgloo.testkit;

import io.jgloo.transport.JGlooException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The failures of the ranks of a run, in the order of time.
 *
 * <p><em>Threads</em>: any.
 */
final class RankFailures {

  /**
   * @param text begins with the exception; of one of another process it is all there is
   * @param secondary whether another rank may have caused it
   */
  private record Failure(int rank, String text, @Nullable Throwable cause, boolean secondary) {
    AssertionError error(String note) {
      return new AssertionError("rank " + rank + ": " + text + note, cause);
    }
  }

  private final List<Failure> all = new ArrayList<>();

  synchronized void add(int rank, Throwable cause) {
    all.add(new Failure(rank, cause.toString(), cause, cause instanceof JGlooException));
  }

  /** Adds a failure of another process. */
  synchronized void add(int rank, String text, boolean secondary) {
    all.add(new Failure(rank, text, null, secondary));
  }

  /** Whether all are of calls that failed, which another rank's call may have caused. */
  synchronized boolean areOfCalls() {
    return !all.isEmpty() && all.stream().allMatch(each -> each.secondary);
  }

  synchronized boolean any() {
    return !all.isEmpty();
  }

  /**
   * Throws the first failure that is not one of a call, which another rank's may have caused, else
   * the first one; the others are suppressed.
   *
   * @param hang what hangs, empty if nothing does
   * @param leaks what has been left open
   * @param note for the end of the message
   */
  synchronized void check(String hang, List<String> leaks, String note) {
    if (!hang.isEmpty()) {
      AssertionError error = new AssertionError(hang + note);
      all.forEach(each -> error.addSuppressed(each.error("")));
      throw error;
    }
    if (all.isEmpty()) {
      if (!leaks.isEmpty()) {
        throw new AssertionError("leaked: " + String.join("; ", leaks) + note);
      }
      return;
    }
    Failure first = all.stream().filter(each -> !each.secondary).findFirst().orElse(all.get(0));
    AssertionError error = first.error(note);
    all.remove(first);
    all.forEach(each -> error.addSuppressed(each.error("")));
    throw error;
  }
}
