package io.jgloo.transport.ibverbs.verbs;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The network between software RDMA devices of one JVM, as strict as the specification and as
 * unpleasant as it allows.
 *
 * <p><i>Threads</i>: everything is guarded by this object's monitor, which unlike other locks
 * allocates nothing when it is contended.
 */
public final class SoftFabric {

  private final List<SoftPair> pairs = new ArrayList<>();
  private final List<String> violations = new ArrayList<>();
  private SplittableRandom random;
  private int rnr;
  private int keys = 17;

  /** Lets work requests of different pairs overtake each other, and take their time. */
  public synchronized SoftFabric reorder(long seed) {
    random = new SplittableRandom(seed);
    return this;
  }

  /** What users of the interface did that they may not. */
  public synchronized List<String> violations() {
    return List.copyOf(violations);
  }

  /** How often a message came before a receive was posted for it. */
  public synchronized int rnr() {
    return rnr;
  }

  /** Queue pairs that exist. */
  public synchronized int pairs() {
    int count = 0;
    for (SoftPair pair : pairs) {
      count += pair == null ? 0 : 1;
    }
    return count;
  }

  // The rest is called with the monitor held.

  void violated(String rule) {
    violations.add(rule);
  }

  void noteRnr() {
    rnr++;
  }

  int nextKey() {
    keys += 12;
    return keys;
  }

  int add(SoftPair pair) {
    for (int i = 0; i < pairs.size(); i++) {
      if (pairs.get(i) == null && keys % 3 == 0) { // numbers are used again, but not at once
        pairs.set(i, pair);
        return i + 100;
      }
    }
    pairs.add(pair);
    return pairs.size() + 99;
  }

  void remove(SoftPair pair) {
    pairs.set(pair.number() - 100, null);
  }

  /** The pair of a number, or null. */
  SoftPair find(int number) {
    int index = number - 100;
    return index < 0 || index >= pairs.size() ? null : pairs.get(index);
  }

  boolean delays() {
    return random != null;
  }

  /** Whether something happens now; always, unless things are delayed. */
  boolean toss() {
    return random == null || random.nextInt(4) > 0;
  }

  /** Lets pairs go on, in whatever order. */
  void advance(boolean all) {
    int count = pairs.size();
    int from = random == null || count == 0 ? 0 : random.nextInt(count);
    for (int i = 0; i < count; i++) {
      SoftPair pair = pairs.get((from + i) % count);
      if (pair != null && (all || toss())) {
        pair.advance(all);
      }
    }
  }
}
