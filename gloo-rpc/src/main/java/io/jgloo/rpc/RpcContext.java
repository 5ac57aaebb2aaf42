package io.jgloo.rpc;

import io.jgloo.rpc.agent.AgentId;

/**
 * The call for which a body runs.
 *
 * @param agent the agent it runs at, for calls of its own
 * @param caller the agent that called
 * @param deadlineNanos when the caller gives up, an instant of the agent's clock
 */
public record RpcContext(RpcAgent agent, AgentId caller, long deadlineNanos) {}
