package io.jgloo.rendezvous.join;

import io.jgloo.rendezvous.store.PrefixStore;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rendezvous.store.tcp.TcpStoreClient;
import io.jgloo.rendezvous.time.Deadline;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Lets a join begin anew when the server of its store goes away.
 *
 * <p>A rank may reach the server of an earlier run, which rank 0 is about to close, or rank 0 may
 * be restarted while the others join. What the rank has written is lost with that server; so it
 * connects the handle to the next server at the address and begins its join from the start:
 *
 * <pre>{@code
 * StoreJoin join = new StoreJoin(store);
 * while (true) {
 *   try {
 *     return register(store);
 *   } catch (StoreUnavailableException e) {
 *     join.reconnect(e, timeLeft());
 *   }
 * }
 * }</pre>
 *
 * <p>Only a handle that was not used before the join is connected again. What the program, or a
 * group that is connected, has written would be missing in another server: there a lost server is
 * reported at once.
 *
 * <p><em>Threads</em>: one.
 */
public final class StoreJoin {
  private static final Logger LOG = System.getLogger(StoreJoin.class.getName());

  private final @Nullable TcpStoreClient client; // null if it is not connected again

  /** A join that uses the store from now on. */
  public StoreJoin(Store store) {
    Store root = store instanceof PrefixStore prefixed ? prefixed.root() : store;
    client = root instanceof TcpStoreClient tcp && !tcp.isServer() && tcp.isUnused() ? tcp : null;
  }

  /**
   * Connects the store again.
   *
   * @param failure of the join
   * @param left how much time the join has left
   * @throws StoreUnavailableException the failure, if the server of the store was not lost, or the
   *     store was used before the join; or with the reason why no server was reached
   */
  public void reconnect(StoreUnavailableException failure, Duration left) {
    Deadline deadline = Deadline.after(left);
    if (client == null || !client.isLost() || deadline.passed()) {
      throw failure;
    }
    LOG.log(Level.INFO, "{0}; connecting again", failure.getMessage());
    while (client.isLost()) {
      try {
        client.reconnect(deadline);
      } catch (StoreUnavailableException e) {
        if (deadline.passed() || !client.isLost()) {
          throw new StoreUnavailableException(failure.getMessage() + "; then " + e.getMessage(), e);
        }
      }
    }
  }
}
