package io.jgloo.ps;

import io.jgloo.rpc.message.Block;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Answers a request, or what of it belongs to one shard, once.
 *
 * <p><i>Threads</i>: any.
 */
public final class Responder<A> {

  /** The handle threw an exception. */
  public static final int HANDLE_FAILED = -1;

  /** The type of the values is not that of the server's application. */
  public static final int WRONG_TYPE = -2;

  /** A key has another number of values, or is not one of those that the server can hold. */
  public static final int WRONG_LENGTH = -3;

  private final Response response;
  private final int part;
  private final ValueType<A> type;
  private final AtomicBoolean done = new AtomicBoolean();

  Responder(Response response, int part, ValueType<A> type) {
    this.response = response;
    this.part = part;
    this.type = type;
  }

  private void once() {
    if (!done.compareAndSet(false, true)) {
      throw new IllegalStateException("the request is answered already");
    }
  }

  /** Answers a push or a tick. */
  public void ok() {
    once();
    response.end(part, null, null);
  }

  /**
   * Answers a pull.
   *
   * @param values of all keys, the same number for each
   */
  public void ok(A values) {
    ok(values, null);
  }

  /**
   * Answers a pull.
   *
   * @param lens number of values of each key; null if it is the same for all
   */
  public void ok(A values, int[] lens) {
    once();
    int count = type.length(values);
    Block block = Block.allocate((long) count * type.bytes());
    type.put(values, 0, count, block.address());
    response.end(part, block, lens == null ? null : lens.clone());
  }

  /**
   * Answers a pull.
   *
   * @param values of all keys; belongs to the responder from now on
   * @param lens number of values of each key; null if it is the same for all
   */
  public void ok(Block values, int[] lens) {
    once();
    response.end(part, values, lens);
  }

  /**
   * Answers with an error: the caller gets a {@link ServerErrorException}.
   *
   * @param code of the application; codes below 0 are those of this class
   */
  public void error(int code, String message) {
    once();
    response.fail(part, code, message);
  }

  /** Answers with an error, unless it is answered. */
  void failed(Throwable cause) {
    if (done.compareAndSet(false, true)) {
      response.fail(part, HANDLE_FAILED, "the handle failed: " + cause);
    }
  }
}
