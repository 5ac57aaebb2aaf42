package io.jgloo.ps.server;

import io.jgloo.ps.handle.Responder;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.rpc.codec.Block;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;

/** Answers what of a request belongs to one shard: adds a part to the response. */
final class ShardResponder<A> implements Responder<A> {

  private static final Logger LOG = System.getLogger(ShardResponder.class.getName());

  private final Response response;
  private final int part;
  private final ValueType<A> type;
  private final AtomicBoolean done = new AtomicBoolean();

  /** Null, or where the change of the request is known. */
  private AppliedPushes applied;

  private AppliedPushes.Push push;

  ShardResponder(Response response, int part, ValueType<A> type) {
    this.response = response;
    this.part = part;
    this.type = type;
  }

  /** The request makes a change, which ends with the answer. */
  void changes(AppliedPushes its, AppliedPushes.Push change) {
    applied = its;
    push = change;
  }

  private boolean isFirst(String error) {
    boolean isFirst = done.compareAndSet(false, true);
    if (isFirst && push != null) {
      applied.end(push, error);
    }
    return isFirst;
  }

  private void once(String error) {
    if (!isFirst(error)) {
      throw new IllegalStateException("the request is answered already");
    }
  }

  @Override
  public void ok() {
    once(null);
    response.end(part, null, null);
  }

  @Override
  public void ok(A values) {
    ok(values, null);
  }

  @Override
  public void ok(A values, int[] lens) {
    int count = type.length(values);
    Block block = Block.allocate((long) count * type.bytes());
    type.put(values, 0, count, block.address());
    ok(block, lens == null ? null : lens.clone());
  }

  @Override
  public void ok(Block values, int[] lens) {
    once(null);
    response.end(part, values, lens);
  }

  @Override
  public void error(int code, String message) {
    once(message);
    response.fail(part, code, message);
  }

  /** Answers with an error, unless it is answered. */
  void failed(Throwable cause, String application) {
    LOG.log(Level.WARNING, "the handle of " + application + " failed", cause);
    String text = "the handle failed: " + cause;
    if (isFirst(text)) {
      response.fail(part, HANDLE_FAILED, text);
    }
  }
}
