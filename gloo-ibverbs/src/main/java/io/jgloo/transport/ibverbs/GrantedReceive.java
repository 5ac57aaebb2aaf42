package io.jgloo.transport.ibverbs;

import io.jgloo.transport.engine.EngineRequest;

/** A receive that has granted an announced message; guarded by the mesh's lock. */
final class GrantedReceive {

  final GrantedReceives owner;

  EngineRequest request;

  /** The sender's number of the message. */
  int message;

  long total;
  long asked;
  long arrived;

  /** Granted parts that have not arrived. */
  int parts;

  /** Waiting for a segment. */
  boolean waits;

  GrantedReceive(GrantedReceives owner) {
    this.owner = owner;
  }
}
