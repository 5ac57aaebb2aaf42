package io.jgloo.transport.ibverbs;

import io.jgloo.transport.engine.EngineRequest;

/** A receive whose announced message was asked for; guarded by the mesh's lock. */
final class GrantedReceive {

  final GrantedReceives owner;

  EngineRequest request;

  /** The sender's number of the message. */
  int message;

  long total;
  long asked;
  long arrived;

  /** Parts asked for that have not come. */
  int parts;

  /** In the line for a segment. */
  boolean waits;

  GrantedReceive(GrantedReceives owner) {
    this.owner = owner;
  }
}
