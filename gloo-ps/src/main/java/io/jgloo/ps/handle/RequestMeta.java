package io.jgloo.ps.handle;

import io.jgloo.ps.node.NodeId;
import io.jgloo.rpc.agent.Priority;

/**
 * The header of a request: all but keys and values.
 *
 * @param sender the worker
 * @param customer of the worker that called
 * @param command of {@link io.jgloo.ps.kv.KvCall}
 * @param change what it changes
 * @param isPull whether values are to be returned
 * @param timestamp of the call at its worker
 * @param round of the worker, from 1 on: its ticks before, and one
 * @param priority of the call
 */
public record RequestMeta(
    NodeId sender,
    int customer,
    int command,
    Change change,
    boolean isPull,
    long timestamp,
    long round,
    Priority priority) {

  /** What a request changes. */
  public enum Change {
    /** Nothing: values are pulled. */
    NONE,
    /** Values are pushed, by the rule of the handle. */
    PUSH,
    /** Values are set to those given, whatever the rule. */
    SET,
    /** Keys are removed. */
    REMOVE,
    /** The round of the worker ends; see {@link io.jgloo.ps.KvWorker#tick}. */
    TICK,
    /** Others do not wait for the worker any more; see {@link io.jgloo.ps.KvWorker#leave}. */
    LEAVE,
    /** Old keys are removed; see {@link io.jgloo.ps.KvWorker#evict}. */
    EVICT
  }

  /** Whether values are pushed. */
  public boolean isPush() {
    return change == Change.PUSH;
  }

  /** Whether it has values for its keys: they are pushed or set. */
  public boolean hasValues() {
    return change == Change.PUSH || change == Change.SET;
  }

  /** Whether it has no keys and is for all shards: a tick, or the last one of a worker. */
  public boolean isTick() {
    return change == Change.TICK || change == Change.LEAVE;
  }

  /** This without a change. */
  public RequestMeta asPull() {
    return new RequestMeta(
        sender, customer, command, Change.NONE, true, timestamp, round, priority);
  }
}
