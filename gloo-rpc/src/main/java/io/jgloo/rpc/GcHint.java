package io.jgloo.rpc;

/**
 * When to ask the JVM to collect: handles that were dropped without a close are found by the
 * collector only, and an idle heap is not collected for long.
 *
 * <p>The hint is repeated only when twice as many handles are open as the last collection has left,
 * so handles in use do not cause one collection after another.
 *
 * <p><i>Threads</i>: one.
 */
final class GcHint {

  private final int handles;

  /** Fewest open handles seen since the last hint. */
  private int fewest;

  /**
   * @param handles number from which on a hint is given; 0 for never
   */
  GcHint(int handles) {
    this.handles = handles;
  }

  /** Whether a hint is due while this many handles are open. */
  boolean isDue(int open) {
    fewest = Math.min(fewest, open);
    boolean due = handles > 0 && open >= handles && open / 2 >= fewest;
    if (due) {
      fewest = open;
    }
    return due;
  }
}
