package io.jgloo.ps.handle;

import io.jgloo.rpc.codec.Block;
import org.jspecify.annotations.Nullable;

/**
 * Answers a request, or what of it belongs to one shard, once: a second answer is an {@link
 * IllegalStateException}.
 *
 * <p><i>Threads</i>: any.
 */
public interface Responder<A> {

  /** The handle threw an exception. */
  int HANDLE_FAILED = -1;

  /** The type of the values is not that of the server's application. */
  int WRONG_TYPE = -2;

  /** A key has another number of values, or is not one of those that the server can hold. */
  int WRONG_LENGTH = -3;

  /** A key is not one of this server, by its slicer. */
  int WRONG_SERVER = -4;

  /** Answers a push or a tick. */
  void ok();

  /**
   * Answers a pull.
   *
   * @param values of all keys, the same number for each
   */
  void ok(A values);

  /**
   * Answers a pull.
   *
   * @param lens number of values of each key; null if it is the same for all
   */
  void ok(A values, int @Nullable [] lens);

  /**
   * Answers a pull.
   *
   * @param values of all keys; belongs to the responder from now on
   * @param lens number of values of each key; null if it is the same for all
   */
  void ok(Block values, int @Nullable [] lens);

  /**
   * Answers with an error: the caller gets a {@link io.jgloo.ps.kv.ServerErrorException}.
   *
   * @param code of the application; codes below 0 are those of this class
   */
  void error(int code, String message);
}
