package io.jgloo.rendezvous;

import io.jgloo.rendezvous.store.PrefixStore;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.tcp.TcpStoreClient;
import io.jgloo.rendezvous.time.Deadline;
import io.jgloo.transport.GlooException;
import io.jgloo.transport.Membership;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * How a rank that serves the store gives a meeting up: it tells the others why, and does not return
 * before they have heard it.
 *
 * <p>For the store is lost with that rank's handle, and all that the others would learn is that:
 * not who did not come. They have heard it when none is connected to the store any more; or when
 * none is in it (a rank that gives up withdraws its record) for handles that are kept, a second
 * after the verdict, so that one who is just about to come hears it, too. That takes as long as
 * they take to look, 50 ms and one more for each rank; nobody is waited for longer than 5 s. Where
 * the store lives elsewhere, nothing of this happens: the others go on waiting, for a rank that has
 * given up may come again.
 *
 * <p>Threads: one.
 */
final class Parting {
  private static final Logger LOG = System.getLogger(Parting.class.getName());
  private static final Duration LONGEST = Duration.ofSeconds(5);
  private static final Duration COMING = Duration.ofSeconds(1);
  private static final Duration PAUSE = Duration.ofMillis(10);
  private static final Duration LAST_WORD = Duration.ofSeconds(1);

  /** Of a rank that owes the others nothing. */
  static final Parting NONE = new Parting(null, null, null);

  private final TcpStoreClient served;
  private final Store store;
  private final Membership membership;
  private final Deadline deadline = Deadline.after(LONGEST);

  private Parting(TcpStoreClient served, Store store, Membership membership) {
    this.served = served;
    this.store = store;
    this.membership = membership;
  }

  /** Tells the others, if they need to be told; then {@link #await}. */
  static Parting begin(Store store, Membership membership, GlooException failure) {
    Store root = store instanceof PrefixStore prefixed ? prefixed.root() : store;
    if (!(failure instanceof RendezvousException reason)
        || !(root instanceof TcpStoreClient tcp)
        || !tcp.isServer()) {
      return NONE;
    }
    try (StoreClerk clerk = new StoreClerk(store, membership.rank())) {
      Verdict verdict = Verdict.of(membership.rank(), reason);
      new RankKeys(store, membership, clerk).tellVerdict(verdict, Deadline.after(LAST_WORD));
    } catch (GlooException e) {
      LOG.log(Level.DEBUG, "{0} cannot tell the others: {1}", membership, e.getMessage());
    }
    return new Parting(tcp, store, membership);
  }

  /** Returns once the others have heard it; earlier if this thread is interrupted or closed. */
  void await(BooleanSupplier closed) {
    if (served == null) {
      return;
    }
    try (StoreClerk clerk = new StoreClerk(store, membership.rank())) {
      RankKeys keys = new RankKeys(store, membership, clerk);
      awaitAll(keys, clerk, closed);
      // Else another attempt in the same store would end by what was said about this one.
      keys.forgetVerdict(Deadline.after(LAST_WORD));
    } catch (GlooException e) { // an interrupt among them, whose flag is set again
      LOG.log(Level.DEBUG, "{0} does not wait for the others: {1}", membership, e.getMessage());
    }
  }

  private void awaitAll(RankKeys keys, StoreClerk clerk, BooleanSupplier closed) {
    Deadline coming = Deadline.after(COMING);
    while (served.hasOtherClients()
        && !closed.getAsBoolean()
        && !deadline.passed()
        && (!coming.passed() || isAnyThere(keys))) {
      clerk.pause(PAUSE);
    }
  }

  private boolean isAnyThere(RankKeys keys) {
    for (int rank = 0; rank < membership.size(); rank++) {
      if (keys.record(rank, Deadline.after(LAST_WORD)).isPresent()) {
        return true;
      }
    }
    return false;
  }
}
