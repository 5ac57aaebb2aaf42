package io.jgloo.ps.handle;

import io.jgloo.ps.kv.KvPairs;
import io.jgloo.ps.kv.ValueType;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Adds the pushes of a round key by key, when enough workers have ended the round by a tick.
 *
 * <p>Sums are made in the order of the workers' ranks, so their bits do not depend on the order of
 * arrival.
 */
final class RoundHandle<A> extends SumHandle<A> {

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
  RoundHandle(ValueType<A> type, int workers, int needed, StoreHandle<A> target) {
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
