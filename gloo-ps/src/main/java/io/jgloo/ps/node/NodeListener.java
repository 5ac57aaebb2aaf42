package io.jgloo.ps.node;

import io.jgloo.transport.JGlooException;

/**
 * Receives notices of nodes that come and go.
 *
 * <p><i>Threads</i>: one call at a time for each node; calls must be short and must not block.
 */
public interface NodeListener {

  /**
   * A node can be reached from now on.
   *
   * @param incarnation of its process; a replacement has a larger one
   */
  default void up(NodeId node, long incarnation) {}

  /** A node has left, was killed, or could not be reached for too long. */
  default void down(NodeId node, long incarnation, JGlooException cause) {}
}
