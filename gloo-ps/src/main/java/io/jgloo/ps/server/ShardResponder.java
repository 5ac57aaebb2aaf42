package io.jgloo.ps.server;

import io.jgloo.ps.handle.Responder;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.rpc.codec.Block;
import java.util.concurrent.atomic.AtomicBoolean;

/** Answers what of a request belongs to one shard: adds a part to the response. */
final class ShardResponder<A> implements Responder<A> {

  private final Response response;
  private final int part;
  private final ValueType<A> type;
  private final AtomicBoolean done = new AtomicBoolean();

  ShardResponder(Response response, int part, ValueType<A> type) {
    this.response = response;
    this.part = part;
    this.type = type;
  }

  private void once() {
    if (!done.compareAndSet(false, true)) {
      throw new IllegalStateException("the request is answered already");
    }
  }

  @Override
  public void ok() {
    once();
    response.end(part, null, null);
  }

  @Override
  public void ok(A values) {
    ok(values, null);
  }

  @Override
  public void ok(A values, int[] lens) {
    once();
    int count = type.length(values);
    Block block = Block.allocate((long) count * type.bytes());
    type.put(values, 0, count, block.address());
    response.end(part, block, lens == null ? null : lens.clone());
  }

  @Override
  public void ok(Block values, int[] lens) {
    once();
    response.end(part, values, lens);
  }

  @Override
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
