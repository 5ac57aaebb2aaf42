package io.jgloo.ps.handle;

import io.jgloo.ps.node.NodeId;
import io.jgloo.rpc.agent.Priority;

/**
 * What a request says besides keys and values.
 *
 * @param sender the worker
 * @param customer of the worker that called
 * @param command of {@link io.jgloo.ps.kv.KvCall}
 * @param isPush whether values are pushed
 * @param isPull whether values are to be returned
 * @param isTick whether it is a tick of the worker's clock, without keys; see {@link
 *     io.jgloo.ps.KvWorker#tick}
 * @param timestamp of the call at its worker
 * @param round of a synchronous push, from 1 on; 0 without
 * @param priority of the call
 */
public record RequestMeta(
    NodeId sender,
    int customer,
    int command,
    boolean isPush,
    boolean isPull,
    boolean isTick,
    long timestamp,
    long round,
    Priority priority) {

  /** This without a push. */
  public RequestMeta asPull() {
    return new RequestMeta(
        sender, customer, command, false, true, false, timestamp, round, priority);
  }
}
