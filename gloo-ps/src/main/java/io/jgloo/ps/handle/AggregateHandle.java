package io.jgloo.ps.handle;

import io.jgloo.ps.kv.KvPairs;
import io.jgloo.ps.kv.ValueType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Adds the pushes of all workers for a key, and applies the sum as one push when each worker has
 * pushed it; only then the pushes are answered.
 *
 * <p>The second push of a worker for a key waits for the next round of the key. Sums are made in
 * the order of the workers' ranks, so their bits do not depend on the order of arrival. A push that
 * also pulls is answered with the values after its round.
 */
final class AggregateHandle<A> extends SumHandle<A> {

  private final int workers;

  /** By key, then by worker: the contributions that have not been applied, oldest first. */
  private final Map<Long, List<ArrayDeque<Contribution<A>>>> rounds = new HashMap<>();

  /**
   * @param target what the sums are pushed to
   */
  AggregateHandle(ValueType<A> type, int workers, StoreHandle<A> target) {
    super(type, target);
    this.workers = workers;
  }

  @Override
  public void handle(RequestMeta meta, KvPairs<A> pairs, Responder<A> responder) {
    if (!meta.isPush() || pairs.size() == 0) {
      target.handle(meta, pairs, responder);
      return;
    }
    Waiting<A> push = new Waiting<>(meta, pairs, responder);
    for (int i = 0; i < pairs.size(); i++) {
      long key = pairs.key(i);
      List<ArrayDeque<Contribution<A>>> of = rounds.computeIfAbsent(key, this::newRound);
      of.get(meta.sender().rank()).add(new Contribution<>(push, i));
      if (of.stream().noneMatch(ArrayDeque::isEmpty)) {
        List<Contribution<A>> round = new ArrayList<>();
        of.forEach(queue -> round.add(queue.poll()));
        if (of.stream().allMatch(ArrayDeque::isEmpty)) {
          rounds.remove(key);
        }
        apply(round);
      }
    }
  }

  private List<ArrayDeque<Contribution<A>>> newRound(long key) {
    List<ArrayDeque<Contribution<A>>> queues = new ArrayList<>();
    for (int worker = 0; worker < workers; worker++) {
      queues.add(new ArrayDeque<>());
    }
    return queues;
  }

  @Override
  public void close() {
    for (List<ArrayDeque<Contribution<A>>> queues : rounds.values()) {
      queues.forEach(queue -> queue.forEach(each -> each.push().ended(ENDED, target)));
    }
    rounds.clear();
    target.close();
  }
}
