package io.jgloo.rpc.rref.protocol;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The owner's entry of one reference. */
public final class Owned {

  /**
   * Whether the call that makes the value has arrived; until then the entry only collects what came
   * early.
   */
  private boolean created;

  /** The value, or null if it is not set yet. */
  private Outcome outcome;

  /** The known forks. */
  private final Set<ForkId> forks = new HashSet<>();

  /** Open handles at the owner, and calls at the owner that carry the reference. */
  private int handles;

  /** Fetches that wait for the value. */
  private List<Message.Fetch> parked = List.of();

  /** Calls and results that wait until the reference is created. */
  private List<Object> waiting = List.of();

  boolean created() {
    return created;
  }

  /** Returns the value, or null if it is not set yet. */
  public Outcome outcome() {
    return outcome;
  }

  /** Returns the known forks. */
  public Set<ForkId> forks() {
    return forks;
  }

  /** Returns the number of open handles at the owner, calls included. */
  public int handles() {
    return handles;
  }

  List<Message.Fetch> parked() {
    return parked;
  }

  boolean isUnused() {
    return forks.isEmpty() && handles == 0 && parked.isEmpty();
  }

  /** Returns what waited for it. */
  List<Object> create(Outcome first) {
    List<Object> waited = waiting;
    created = true;
    outcome = first;
    waiting = List.of();
    return waited;
  }

  /** Returns the fetches that waited for it. */
  List<Message.Fetch> set(Outcome value) {
    List<Message.Fetch> waited = parked;
    outcome = value;
    parked = List.of();
    return waited;
  }

  /** Removes the fork, and the fetches of its holder with it. */
  void remove(ForkId fork) {
    forks.remove(fork);
    if (!parked.isEmpty()) {
      parked = parked.stream().filter(fetch -> !fetch.fork().equals(fork)).toList();
    }
  }

  void addHandles(int more) {
    handles += more;
  }

  void park(Message.Fetch fetch) {
    parked = parked.contains(fetch) ? parked : plus(parked, fetch);
  }

  void await(Object key) {
    waiting = plus(waiting, key);
  }

  static <T> List<T> plus(List<T> list, T more) {
    List<T> longer = new ArrayList<>(list.size() + 1);
    longer.addAll(list);
    longer.add(more);
    return List.copyOf(longer);
  }

  Owned copy() {
    Owned copy = new Owned();
    copy.created = created;
    copy.outcome = outcome;
    copy.forks.addAll(forks);
    copy.handles = handles;
    copy.parked = parked;
    copy.waiting = waiting;
    return copy;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Owned that && toList().equals(that.toList());
  }

  private List<Object> toList() {
    return Arrays.asList(created, outcome, forks, handles, parked, waiting);
  }

  @Override
  public int hashCode() {
    return toList().hashCode();
  }

  @Override
  public String toString() {
    String value = outcome == null ? created ? "no value yet" : "not created" : outcome.toString();
    return value + ", " + handles + " handles, forks " + forks + ", fetches " + parked;
  }
}
