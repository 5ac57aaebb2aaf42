package io.jgloo.transport.ibverbs;

import io.jgloo.transport.Chain;

/** A receive whose announced message was asked for; guarded by the mesh's lock. */
final class Landing extends Chain.Linked<Landing> {

  final IbverbsPair pair;

  IbverbsRequest request;

  /** The sender's number of the message. */
  int message;

  long total;
  long asked;
  long arrived;

  /** Parts asked for that have not come. */
  int parts;

  /** In the line for a segment. */
  boolean waits;

  Landing(IbverbsPair pair) {
    this.pair = pair;
  }
}
