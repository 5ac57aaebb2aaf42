package io.jgloo.ps.handle;

import io.jgloo.ps.handle.StoreHandle.Update;
import io.jgloo.ps.kv.KvPairs;
import io.jgloo.ps.kv.ServerErrorException;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.transport.memory.Memory;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Pushes sums of what several workers push to another handle. */
abstract class SumHandle<A> extends Handles.Before<A, StoreHandle<A>> {

  static final String ENDED = "the server has ended";

  /** A push that waits for its keys. */
  static final class Waiting<A> {
    final RequestMeta meta;
    final KvPairs<A> pairs;
    final Responder<A> responder;
    private int left;

    Waiting(RequestMeta meta, KvPairs<A> pairs, Responder<A> responder) {
      this.meta = meta;
      this.pairs = pairs;
      this.responder = responder;
      left = pairs.size();
    }

    /** A key has ended, all of them with an error; answers after the last one. */
    void ended(@Nullable String error, StoreHandle<A> target) {
      if (error != null && left > 0) {
        left = 0;
        responder.error(ServerErrorException.WRONG_LENGTH, error);
      } else if (left > 0 && --left == 0) {
        answer(target);
      }
    }

    /** Answers whatever is left. */
    void answer(StoreHandle<A> target) {
      left = 0;
      if (meta.isPull()) {
        target.pull(pairs, responder);
      } else {
        responder.ok();
      }
    }
  }

  /** What a push has for a key. */
  record Contribution<A>(Waiting<A> push, int index) {}

  final ValueType<A> type;
  private final Update sum;

  SumHandle(ValueType<A> type, StoreHandle<A> target) {
    super(target);
    this.type = type;
    sum = Update.sum(type);
  }

  /** Pushes the sum of values of one key, made in the order of the list. */
  final void apply(List<Contribution<A>> contributions) {
    Contribution<A> first = contributions.get(0);
    KvPairs<A> one = first.push().pairs.range(first.index(), first.index() + 1);
    int length = one.length(0);
    String error = null;
    long scratch = Memory.allocate((long) Math.max(1, length) * type.bytes(), Memory.CACHE_LINE);
    try {
      Memory.setZero(scratch, (long) length * type.bytes());
      for (Contribution<A> each : contributions) {
        KvPairs<A> pairs = each.push().pairs;
        if (pairs.length(each.index()) != length) {
          error =
              ("workers push " + length + " and " + pairs.length(each.index()) + " values for key ")
                  + Long.toUnsignedString(one.key(0));
        } else {
          sum.apply(scratch, pairs.valueAddress(each.index()), length);
        }
      }
      error = error == null ? target.push(one, scratch) : error;
    } finally {
      Memory.free(scratch);
    }
    for (Contribution<A> each : contributions) {
      each.push().ended(error, target);
    }
  }

  /**
   * Adds the pushes of all workers for a key, and applies the sum as one push when each worker has
   * pushed it; only then the pushes are answered.
   *
   * <p>The second push of a worker for a key waits for the next round of the key. Sums are made in
   * the order of the workers' ranks, so their bits do not depend on the order of arrival. A push
   * that also pulls is answered with the values after its round.
   */
  static final class Aggregate<A> extends SumHandle<A> {

    private final int workers;

    /** By key, then by worker: the contributions that have not been applied, oldest first. */
    private final Map<Long, List<ArrayDeque<Contribution<A>>>> rounds = new HashMap<>();

    /**
     * @param target what the sums are pushed to
     */
    Aggregate(ValueType<A> type, int workers, StoreHandle<A> target) {
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

  /**
   * Adds the pushes of a round key by key, when enough workers have ended the round by a tick.
   *
   * <p>Sums are made in the order of the workers' ranks, so their bits do not depend on the order
   * of arrival.
   */
  static final class Rounds<A> extends SumHandle<A> {

    private static final class Round<A> {
      final Map<Integer, List<Waiting<A>>> pushes = new TreeMap<>();
      final Set<Integer> ended = new TreeSet<>();
    }

    private final int workers;
    private final int needed;
    private final TreeMap<Long, Round<A>> rounds = new TreeMap<>();
    private final Set<Integer> left = new TreeSet<>();

    /** The last round that was applied. */
    private long applied;

    /**
     * @param needed workers that a round waits for
     * @param target what the sums are pushed to
     */
    Rounds(ValueType<A> type, int workers, int needed, StoreHandle<A> target) {
      super(type, target);
      this.workers = workers;
      this.needed = needed;
    }

    @Override
    public void handle(RequestMeta meta, KvPairs<A> pairs, Responder<A> responder) {
      int worker = meta.sender().rank();
      if (meta.isTick()) {
        if (meta.change() == RequestMeta.Change.LEAVE) {
          left.add(worker);
        } else {
          left.remove(worker);
        }
        if (meta.round() > applied) {
          round(meta.round()).ended.add(worker);
        }
        responder.ok();
        applyRounds();
      } else if (meta.isPush() && pairs.size() > 0) {
        Waiting<A> push = new Waiting<>(meta, pairs, responder);
        if (meta.round() <= applied) {
          push.answer(target);
        } else {
          round(meta.round()).pushes.computeIfAbsent(worker, key -> new ArrayList<>()).add(push);
        }
      } else {
        target.handle(meta, pairs, responder);
      }
    }

    private Round<A> round(long number) {
      return rounds.computeIfAbsent(number, key -> new Round<>());
    }

    private void applyRounds() {
      while (!rounds.isEmpty()) {
        Round<A> round = rounds.firstEntry().getValue();
        int wanted = Math.max(1, Math.min(needed, workers - left.size()));
        if (round.ended.size() < wanted) {
          return;
        }
        applied = rounds.pollFirstEntry().getKey();
        Map<Long, List<Contribution<A>>> keys = new TreeMap<>();
        round.pushes.forEach(
            (worker, pushes) -> {
              for (Waiting<A> push : pushes) {
                for (int i = 0; i < push.pairs.size() && round.ended.contains(worker); i++) {
                  keys.computeIfAbsent(push.pairs.key(i), key -> new ArrayList<>())
                      .add(new Contribution<>(push, i));
                }
              }
            });
        keys.values().forEach(this::apply);
        round.pushes.forEach(
            (worker, pushes) -> {
              if (!round.ended.contains(worker)) { // too late
                pushes.forEach(push -> push.answer(target));
              }
            });
      }
    }

    @Override
    public void saveState(DataOutput out) throws IOException {
      out.writeLong(applied);
      save(out, left);
      out.writeInt(rounds.size());
      for (Map.Entry<Long, Round<A>> round : rounds.entrySet()) {
        out.writeLong(round.getKey());
        save(out, round.getValue().ended);
      }
    }

    private static void save(DataOutput out, Set<Integer> ranks) throws IOException {
      out.writeInt(ranks.size());
      for (int rank : ranks) {
        out.writeInt(rank);
      }
    }

    @Override
    public void loadState(DataInput in) throws IOException {
      applied = in.readLong();
      load(in, left);
      for (int count = in.readInt(); count > 0; count--) {
        load(in, round(in.readLong()).ended);
      }
    }

    private static void load(DataInput in, Set<Integer> ranks) throws IOException {
      for (int count = in.readInt(); count > 0; count--) {
        ranks.add(in.readInt());
      }
    }

    @Override
    public void close() {
      for (Round<A> round : rounds.values()) {
        round.pushes.values().forEach(all -> all.forEach(push -> push.ended(ENDED, target)));
      }
      rounds.clear();
      target.close();
    }
  }
}
