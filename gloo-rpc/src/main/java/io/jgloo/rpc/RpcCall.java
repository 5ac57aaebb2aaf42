package io.jgloo.rpc;

/**
 * A function with its arguments: {@code ADD.call(2, 3)}.
 *
 * @param <A> type of the argument as it travels
 * @param <R> type of the result
 */
public record RpcCall<A, R>(RpcFunction<A, R> function, A argument) {}
