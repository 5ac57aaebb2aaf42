package io.jgloo.ps.handle;

import io.jgloo.ps.kv.KvPairs;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.store.ValueStore;
import io.jgloo.transport.memory.Memory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Adds the pushes of all workers for a key, and applies the sum as one push when each worker has
 * pushed it; only then the pushes are answered.
 *
 * <p>The second push of a worker for a key waits for the next round of the key. Sums are made in
 * the order of the workers' ranks, so their bits do not depend on the order of arrival. A push that
 * also pulls is answered with the values after its round.
 */
final class AggregateHandle<A> implements StatefulHandle<A> {

  /** A push that waits for its keys. */
  private final class Waiting {
    final RequestMeta meta;
    final KvPairs<A> pairs;
    final Responder<A> responder;
    int left;

    Waiting(RequestMeta meta, KvPairs<A> pairs, Responder<A> responder) {
      this.meta = meta;
      this.pairs = pairs;
      this.responder = responder;
      left = pairs.size();
    }
  }

  private record Contribution<W>(W push, int index) {}

  private final int workers;
  private final StoreHandle<A> target;
  private final Rule sum;
  private final ValueType<A> type;

  /** By key, then by worker: the contributions that have not been applied, oldest first. */
  private final Map<Long, List<ArrayDeque<Contribution<Waiting>>>> rounds = new HashMap<>();

  /**
   * @param target what the sums are pushed to
   */
  AggregateHandle(ValueType<A> type, int workers, StoreHandle<A> target) {
    this.type = type;
    this.workers = workers;
    this.target = target;
    sum = Rule.sum(type);
  }

  @Override
  public ValueStore store() {
    return target.store();
  }

  @Override
  public String kind() {
    return target.kind();
  }

  @Override
  public @Nullable String check(RequestMeta meta, KvPairs<A> pairs) {
    return target.check(meta, pairs);
  }

  @Override
  public void handle(RequestMeta meta, KvPairs<A> pairs, Responder<A> responder) {
    if (!meta.isPush() || pairs.size() == 0) {
      target.handle(meta, pairs, responder);
      return;
    }
    Waiting push = new Waiting(meta, pairs, responder);
    for (int i = 0; i < pairs.size(); i++) {
      long key = pairs.key(i);
      List<ArrayDeque<Contribution<Waiting>>> of = rounds.computeIfAbsent(key, this::newRound);
      of.get(meta.sender().rank()).add(new Contribution<>(push, i));
      if (of.stream().noneMatch(ArrayDeque::isEmpty)) {
        List<Contribution<Waiting>> round = new ArrayList<>();
        of.forEach(queue -> round.add(queue.poll()));
        if (of.stream().allMatch(ArrayDeque::isEmpty)) {
          rounds.remove(key);
        }
        apply(round);
      }
    }
  }

  private List<ArrayDeque<Contribution<Waiting>>> newRound(long key) {
    List<ArrayDeque<Contribution<Waiting>>> queues = new ArrayList<>();
    for (int worker = 0; worker < workers; worker++) {
      queues.add(new ArrayDeque<>());
    }
    return queues;
  }

  private void apply(List<Contribution<Waiting>> round) {
    Contribution<Waiting> first = round.get(0);
    KvPairs<A> one = first.push().pairs.range(first.index(), first.index() + 1);
    int length = one.length(0);
    String error = null;
    long scratch = Memory.allocate((long) Math.max(1, length) * type.bytes(), Memory.CACHE_LINE);
    try {
      Memory.setZero(scratch, (long) length * type.bytes());
      for (Contribution<Waiting> each : round) {
        KvPairs<A> pairs = each.push().pairs;
        if (pairs.length(each.index()) != length) {
          error = "workers push different numbers of values for a key";
        } else {
          sum.apply(scratch, pairs.valueAddress(each.index()), length);
        }
      }
      error = error == null ? target.push(one, scratch) : error;
    } finally {
      Memory.free(scratch);
    }
    for (Contribution<Waiting> each : round) {
      ended(each.push(), error);
    }
  }

  private void ended(Waiting push, @Nullable String error) {
    if (error != null && push.left > 0) {
      push.left = 0;
      push.responder.error(Responder.WRONG_LENGTH, error);
    } else if (push.left > 0 && --push.left == 0) {
      if (push.meta.isPull()) {
        target.pull(push.pairs, push.responder);
      } else {
        push.responder.ok();
      }
    }
  }

  @Override
  public void close() {
    for (List<ArrayDeque<Contribution<Waiting>>> queues : rounds.values()) {
      queues.forEach(queue -> queue.forEach(each -> ended(each.push(), "the server has ended")));
    }
    rounds.clear();
    target.close();
  }
}
