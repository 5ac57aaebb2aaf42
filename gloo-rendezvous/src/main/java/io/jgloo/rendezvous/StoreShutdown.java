package io.jgloo.rendezvous;

import io.jgloo.rendezvous.join.RecordSeal;
import io.jgloo.rendezvous.store.PrefixStore;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.tcp.TcpStoreClient;
import io.jgloo.rendezvous.time.Deadline;
import io.jgloo.transport.AuthenticationException;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.NullUnmarked;

/**
 * Ends a failed join at the rank that serves the store: publishes the failure, and keeps the store
 * until the other ranks have read it.
 *
 * <p>The store is lost when that rank closes its handle, and the other ranks would then report a
 * lost store instead of the missing ranks. They have read the failure when no other client is
 * connected to the store; or, for handles that stay open, when no record is in the store (a rank
 * that fails removes its record), but not before 1 s, so that a rank that is about to join reads it
 * too. The wait ends after 5 s and the time between two looks of a rank ({@link
 * Rendezvous#patience}). If the store is served elsewhere, nothing is published: the other ranks
 * continue to wait, because a rank that failed may join again.
 *
 * <p>Threads: one.
 */
@NullUnmarked // the fields of NONE are null
final class StoreShutdown {
  private static final Logger LOG = System.getLogger(StoreShutdown.class.getName());
  private static final Duration LONGEST = Duration.ofSeconds(5);
  private static final Duration JOINING = Duration.ofSeconds(1);
  private static final Duration PAUSE = Duration.ofMillis(10);
  private static final Duration REQUEST = Duration.ofSeconds(1);

  /** At a rank that does not serve the store. */
  static final StoreShutdown NONE = new StoreShutdown(null, null, null, null);

  private final TcpStoreClient served;
  private final Store store;
  private final Membership membership;
  private final RecordSeal seal;
  private final Deadline deadline;

  private StoreShutdown(
      TcpStoreClient served, Store store, Membership membership, RecordSeal seal) {
    this.served = served;
    this.store = store;
    this.membership = membership;
    this.seal = seal;
    Duration between = served == null ? Duration.ZERO : Rendezvous.patience(membership.size());
    deadline = Deadline.after(LONGEST.plus(between));
  }

  /**
   * The failure as it is reported: if ranks are missing, and the store that this rank serves has
   * refused clients for their job secret, that is the reason.
   */
  static JGlooException explained(Store store, JGlooException cause) {
    Store root = store instanceof PrefixStore prefixed ? prefixed.root() : store;
    boolean serves = root instanceof TcpStoreClient tcp && tcp.isServer();
    long refused = serves ? ((TcpStoreClient) root).unauthenticatedClients() : 0;
    if (refused == 0 || !(cause instanceof RendezvousTimeoutException)) {
      return cause;
    }
    String text = "; the store refused " + refused + " connections as not of this job";
    return new AuthenticationException(cause.getMessage() + text, cause);
  }

  /** Publishes the failure if this rank serves the store; {@link #await} follows. */
  static StoreShutdown begin(
      Store store, Membership membership, RecordSeal seal, JGlooException cause) {
    Store root = store instanceof PrefixStore prefixed ? prefixed.root() : store;
    boolean concernsAll =
        cause instanceof RendezvousException || cause instanceof AuthenticationException;
    if (!concernsAll || !(root instanceof TcpStoreClient tcp) || !tcp.isServer()) {
      return NONE;
    }
    try (StoreExecutor executor = new StoreExecutor(store, membership.rank())) {
      JoinFailure failure = JoinFailure.of(membership.rank(), cause);
      new RankKeys(store, membership, executor, seal)
          .publishFailure(failure, Deadline.after(REQUEST));
    } catch (JGlooException e) {
      LOG.log(Level.DEBUG, "{0} cannot publish its failure: {1}", membership, e.getMessage());
    }
    return new StoreShutdown(tcp, store, membership, seal);
  }

  /** Returns when the other ranks have read the failure; earlier on interrupt or close. */
  void await(BooleanSupplier closed) {
    if (served == null) {
      return;
    }
    try (StoreExecutor executor = new StoreExecutor(store, membership.rank())) {
      RankKeys keys = new RankKeys(store, membership, executor, seal);
      awaitAll(keys, executor, closed);
      // Otherwise the next attempt in the same store would end with this failure.
      keys.removeFailure(Deadline.after(REQUEST));
    } catch (JGlooException e) { // also an interrupt, whose flag is set again
      LOG.log(
          Level.DEBUG, "{0} stops waiting for the other ranks: {1}", membership, e.getMessage());
    }
  }

  private void awaitAll(RankKeys keys, StoreExecutor executor, BooleanSupplier closed) {
    Deadline joining = Deadline.after(JOINING);
    while (served.hasOtherClients()
        && !closed.getAsBoolean()
        && !deadline.passed()
        && (!joining.passed() || hasRecords(keys))) {
      executor.pause(PAUSE);
    }
  }

  private boolean hasRecords(RankKeys keys) {
    for (int rank = 0; rank < membership.size(); rank++) {
      if (keys.record(rank, Deadline.after(REQUEST)).isPresent()) {
        return true;
      }
    }
    return false;
  }
}
