package io.jgloo.rpc.rref.protocol;

import java.util.ArrayList;
import java.util.List;

/**
 * The owner's entry of one reference.
 *
 * @param created whether the call that makes the value has arrived; until then the entry only
 *     collects what came early
 * @param outcome the value, or null if it is not set yet
 * @param forks the known forks
 * @param handles open handles at the owner, and calls at the owner that carry the reference
 * @param parked fetches that wait for the value
 * @param waiting calls and results that wait until the reference is created
 */
public record Owned(
    boolean created,
    Outcome outcome,
    PersistentMap<ForkId, Boolean> forks,
    int handles,
    List<Message.Fetch> parked,
    List<Object> waiting) {

  static final Owned ABSENT =
      new Owned(false, null, PersistentMap.empty(), 0, List.of(), List.of());

  boolean isUnused() {
    return forks.isEmpty() && handles == 0 && parked.isEmpty();
  }

  Owned create(Outcome first) {
    return new Owned(true, first, forks, handles, parked, List.of());
  }

  Owned withOutcome(Outcome set) {
    return new Owned(created, set, forks, handles, List.of(), waiting);
  }

  Owned add(ForkId fork) {
    return new Owned(created, outcome, forks.with(fork, true), handles, parked, waiting);
  }

  /** Removes the fork, and the fetches of its holder with it. */
  Owned remove(ForkId fork) {
    List<Message.Fetch> kept = parked;
    if (!parked.isEmpty()) {
      kept = new ArrayList<>(parked);
      kept.removeIf(fetch -> fetch.fork().equals(fork));
      kept = List.copyOf(kept);
    }
    return new Owned(created, outcome, forks.without(fork), handles, kept, waiting);
  }

  Owned addHandles(int more) {
    return new Owned(created, outcome, forks, handles + more, parked, waiting);
  }

  Owned park(Message.Fetch fetch) {
    return parked.contains(fetch)
        ? this
        : new Owned(created, outcome, forks, handles, plus(parked, fetch), waiting);
  }

  Owned await(Object key) {
    return new Owned(created, outcome, forks, handles, parked, plus(waiting, key));
  }

  static <T> List<T> plus(List<T> list, T more) {
    List<T> longer = new ArrayList<>(list.size() + 1);
    longer.addAll(list);
    longer.add(more);
    return List.copyOf(longer);
  }
}
