package io.jgloo.transport;

/** What ends when a pair of a mesh fails; the same on all its ranks. */
public enum FailureScope {

  /** The whole mesh, on all ranks: the failure is reported to the others. Collectives need this. */
  COLLECTIVE,

  /**
   * The pair of the two ranks. All other pairs go on, and a new process of the peer can be
   * connected in place of the old one, see {@link Mesh#connect}.
   */
  PAIRWISE
}
