package io.jgloo.rpc;

/**
 * The body of a function, run at the agent that is called.
 *
 * @param <A> type of the argument
 * @param <R> type of the result
 */
@FunctionalInterface
public interface RpcBody<A, R> {

  /**
   * Runs at most once for each call.
   *
   * @param argument blocks in it are closed when this returns, unless they are the result
   * @throws Exception arrives at the caller as a {@link RemoteCallException}
   */
  R run(RpcContext context, A argument) throws Exception;

  /** A body without an argument. */
  @FunctionalInterface
  interface Of0<R> {
    R run() throws Exception;
  }

  /** A body of one argument. */
  @FunctionalInterface
  interface Of1<A, R> {
    R run(A argument) throws Exception;
  }

  /** A body of two arguments. */
  @FunctionalInterface
  interface Of2<A, B, R> {
    R run(A first, B second) throws Exception;
  }

  /** A body of three arguments. */
  @FunctionalInterface
  interface Of3<A, B, C, R> {
    R run(A first, B second, C third) throws Exception;
  }
}
