package io.jgloo.rpc;

import io.jgloo.rpc.agent.NotExecutedException;
import io.jgloo.rpc.codec.MessageReader;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The functions an agent offers; closed when the agent starts.
 *
 * <p><i>Threads</i>: one, before the start.
 */
public final class RpcRegistry {

  /** Where a body runs. */
  public enum Execution {
    /** In a thread of its own: it may block, and call other agents. */
    WORKER,
    /**
     * In the thread that received the call: it saves a hand-over between threads, 10 to 30 us, and
     * must be short and must not block.
     */
    DIRECT
  }

  /**
   * A function, what it does, and where.
   *
   * @param isAsync whether the body returns a stage of the result
   */
  record Entry<A, R>(
      RpcFunction<A, R> function, RpcBody<A, ?> body, Execution execution, boolean isAsync) {

    boolean isDirect() {
      return execution == Execution.DIRECT;
    }

    /**
     * Runs the body.
     *
     * @param later runs what follows a stage
     * @param done gets the result or what was thrown; must not throw
     */
    @SuppressWarnings("unchecked") // register has seen to the types
    void run(
        RpcContext context,
        A argument,
        Executor later,
        BiConsumer<@Nullable R, @Nullable Throwable> done) {
      Object result;
      try {
        result = body.run(context, argument);
        if (isAsync && result == null) {
          throw new NullPointerException("the body of " + function + " returned no future");
        }
      } catch (Throwable e) { // whatever a body throws is its result
        done.accept(null, e);
        return;
      }
      if (!isAsync) {
        done.accept((R) result, null);
        return;
      }
      ((CompletionStage<R>) result)
          .whenComplete(
              (value, e) ->
                  later.execute(
                      () ->
                          done.accept(
                              value,
                              e instanceof CompletionException && e.getCause() != null
                                  ? e.getCause()
                                  : e)));
    }
  }

  private static final int HEAD_BYTES = 12;

  private final Map<Long, Entry<?, ?>> entries = new HashMap<>();
  private boolean closed;

  /** Makes a registry without functions. */
  public RpcRegistry() {}

  /** Offers a function, to be run in a worker thread; see {@link Execution}. */
  public <A, R> RpcRegistry register(RpcFunction<A, R> function, RpcBody<A, R> body) {
    return register(function, body, Execution.WORKER);
  }

  /**
   * Offers a function.
   *
   * @return this
   * @throws IllegalArgumentException if there is one of that name
   * @throws IllegalStateException if an agent has started with this registry
   */
  public <A, R> RpcRegistry register(
      RpcFunction<A, R> function, RpcBody<A, R> body, Execution execution) {
    return add(new Entry<>(function, body, execution, false));
  }

  /** Offers a function of no argument. */
  public <R> RpcRegistry register(RpcFunction.Of0<R> function, RpcBody.Of0<R> body) {
    return register(function.function(), (context, arguments) -> body.run());
  }

  /** Offers a function of one argument. */
  public <A, R> RpcRegistry register(RpcFunction<A, R> function, RpcBody.Of1<A, R> body) {
    return register(function, (context, argument) -> body.run(argument));
  }

  /** Offers a function of two arguments. */
  @SuppressWarnings("unchecked") // the codecs of the function are of these types
  public <A, B, R> RpcRegistry register(
      RpcFunction.Of2<A, B, R> function, RpcBody.Of2<A, B, R> body) {
    return register(
        function.function(), (context, values) -> body.run((A) values[0], (B) values[1]));
  }

  /** Offers a function of three arguments. */
  @SuppressWarnings("unchecked") // the codecs of the function are of these types
  public <A, B, C, R> RpcRegistry register(
      RpcFunction.Of3<A, B, C, R> function, RpcBody.Of3<A, B, C, R> body) {
    return register(
        function.function(),
        (context, values) -> body.run((A) values[0], (B) values[1], (C) values[2]));
  }

  /** Offers a method of objects that this agent owns. */
  public <T, A, R> RpcRegistry register(RpcMethod<T, A, R> method, RpcBody.Of2<T, A, R> body) {
    return register(
        method.function(),
        (context, bound) -> {
          try (RRef<T> object = bound.object()) {
            return body.run(object.localValue(), bound.argument());
          }
        });
  }

  /**
   * Offers a function whose body returns a future: no thread waits for it, and the call is answered
   * when it completes.
   */
  public <A, R> RpcRegistry registerAsync(
      RpcFunction<A, R> function, RpcBody<A, ? extends CompletionStage<R>> body) {
    return add(new Entry<>(function, body, Execution.WORKER, true));
  }

  /**
   * Offers the methods of an interface, which other agents call by {@link RpcAgent#stub}. Codecs
   * follow from the types of the methods, see {@link io.jgloo.rpc.codec.Codecs#derived}. A method
   * that returns a {@link java.util.concurrent.CompletableFuture} is answered when it completes.
   *
   * @throws IllegalArgumentException if the type is no interface, two methods have one name, or a
   *     type has no codec
   */
  public <T> RpcRegistry service(Class<T> type, T implementation) {
    return Stubs.register(this, type, implementation);
  }

  /** Offers the methods of an interface for objects that this agent owns, but no service. */
  public <T> RpcRegistry objects(Class<T> type) {
    return Stubs.register(this, type, null);
  }

  RpcRegistry add(Entry<?, ?> entry) {
    if (closed) {
      throw new IllegalStateException(
          "function " + entry.function() + " must be registered before the agent starts");
    }
    Entry<?, ?> before = entries.putIfAbsent(entry.function().id(), entry);
    if (before != null) {
      throw new IllegalArgumentException(
          ("function " + entry.function() + " has the name, or the hash of it, of ")
              + before.function());
    }
    return this;
  }

  /** Refuses further functions. */
  void close() {
    closed = true;
  }

  /**
   * Finds the function that a call names; the argument follows.
   *
   * @throws NotExecutedException if there is none of that name and these types
   */
  Entry<?, ?> find(MessageReader in, String agent) {
    if (in.remaining() < HEAD_BYTES) {
      throw new NotExecutedException("it is no call of a function", null);
    }
    long id = in.getLong();
    int types = in.getInt();
    Entry<?, ?> entry = entries.get(id);
    if (entry == null) {
      throw new NotExecutedException(
          String.format("agent %s has no function of id %016x", agent, id), null);
    }
    if (entry.function().typesId() != types) {
      throw new NotExecutedException(
          "agent " + agent + " has " + entry.function() + ", of other types", null);
    }
    return entry;
  }
}
