package io.jgloo.transport.tcp;

import io.jgloo.transport.engine.SlotChain;

/**
 * What is open between two ranks on one slot of a Gloo wire.
 *
 * <p>Of a slot, the n-th announcement, the n-th credit and the n-th payload belong together, so
 * numbers are all there is to keep.
 */
final class SlotAccount implements SlotChain.Node {
  long slot;

  /** Receives the peer has told of, for which we have posted no send. */
  int credits;

  /** Announcements to come for receives of ours that did not wait for one. */
  int unannounced;

  /** Receives we have told the peer of and withdrawn: so many payloads may still come. */
  int withdrawn;

  /** Length of the longest of those receives. */
  long withdrawnBytes;

  @Override
  public long slot() {
    return slot;
  }
}
