package io.jgloo.ps.handle;

import io.jgloo.ps.kv.KvPairs;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Holds pulls back until no worker is more than some ticks behind the one that pulls.
 *
 * <p>The clock of a worker at a server is the number of its ticks there.
 */
final class StalenessHandle<A> extends HandleBefore<A, StatefulHandle<A>> {

  private record Waiting<A>(
      RequestMeta meta, KvPairs<A> pairs, Responder<A> responder, long clock) {}

  private static final long LEFT = Long.MAX_VALUE;

  private final int bound;
  private final long[] clocks;
  private final List<Waiting<A>> waiting = new ArrayList<>();

  StalenessHandle(StatefulHandle<A> inner, int bound, int workers) {
    super(inner);
    this.bound = bound;
    clocks = new long[workers];
  }

  @Override
  public void handle(RequestMeta meta, KvPairs<A> pairs, Responder<A> responder) {
    if (meta.isTick()) {
      int worker = meta.sender().rank();
      if (meta.change() == RequestMeta.Change.LEAVE) {
        clocks[worker] = LEFT;
      } else if (clocks[worker] == LEFT) { // it is back, with the slowest
        clocks[worker] = Arrays.stream(clocks).min().orElse(0) % LEFT + 1;
      } else {
        clocks[worker]++;
      }
      responder.ok();
      List<Waiting<A>> due = new ArrayList<>();
      waiting.removeIf(each -> isDue(each.clock()) && due.add(each));
      due.forEach(each -> target.handle(each.meta(), each.pairs(), each.responder()));
      return;
    }
    long clock = clocks[meta.sender().rank()] % LEFT;
    if (meta.isPull() && !isDue(clock)) {
      waiting.add(new Waiting<>(meta, pairs, responder, clock));
    } else {
      target.handle(meta, pairs, responder);
    }
  }

  @Override
  public void saveState(DataOutput out) throws IOException {
    for (long clock : clocks) {
      out.writeLong(clock);
    }
    target.saveState(out);
  }

  @Override
  public void loadState(DataInput in) throws IOException {
    for (int i = 0; i < clocks.length; i++) {
      clocks[i] = in.readLong();
    }
    target.loadState(in);
  }

  private boolean isDue(long clock) {
    for (long each : clocks) {
      if (each < clock - bound) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() {
    waiting.forEach(
        each -> each.responder().error(Responder.HANDLE_FAILED, "the server has ended"));
    waiting.clear();
    target.close();
  }
}
