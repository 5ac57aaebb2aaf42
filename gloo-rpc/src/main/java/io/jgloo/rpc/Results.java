package io.jgloo.rpc;

import io.jgloo.rpc.rref.protocol.Event;
import io.jgloo.rpc.rref.protocol.ForkId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The forks in results. A caller that has given its call up drops the result without a word, so
 * forks that it has not taken by the call's deadline are taken back.
 *
 * <p><i>Threads</i>: {@link #watch} any, {@link #sweep} one.
 */
final class Results {

  /** The clocks of two processes may run apart by this. */
  private static final long SLACK_NANOS = 1_000_000_000;

  private record Result(List<ForkId> forks, long deadlineNanos) {}

  private final RRefs refs;
  private final ConcurrentLinkedQueue<Result> added = new ConcurrentLinkedQueue<>();
  private final ArrayDeque<Result> watched = new ArrayDeque<>();

  Results(RRefs refs) {
    this.refs = refs;
  }

  void watch(List<ForkId> forks, long deadlineNanos) {
    added.add(new Result(List.copyOf(forks), deadlineNanos));
  }

  void sweep(long now) {
    for (Result result = added.poll(); result != null; result = added.poll()) {
      watched.add(result);
    }
    List<ForkId> late = new ArrayList<>();
    refs.tables()
        .read(
            tables ->
                watched.removeIf(
                    result -> {
                      boolean passed = now - result.deadlineNanos - SLACK_NANOS >= 0;
                      late.addAll(passed ? result.forks : List.of());
                      return passed || result.forks.stream().noneMatch(tables::isKnown);
                    }));
    late.forEach(fork -> refs.tables().apply(new Event.ForkUnknown(fork)));
  }
}
