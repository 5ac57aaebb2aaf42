package io.jgloo.transport.tcp.wire;

import io.jgloo.transport.engine.SlotChain;
import java.util.ArrayDeque;

/**
 * The slots of a pair on which something is open; few at a time, reused.
 *
 * <p><i>Threads</i>: under the mesh's lock.
 */
public final class SlotAccounts {

  private final SlotChain<SlotAccount> open = new SlotChain<>();
  private final ArrayDeque<SlotAccount> free = new ArrayDeque<>();

  /** The account of a slot, or null if nothing is open. */
  public SlotAccount find(long slot) {
    return open.find(slot);
  }

  /** The account of a slot, a new one if there is none. */
  public SlotAccount at(long slot) {
    SlotAccount found = find(slot);
    if (found != null) {
      return found;
    }
    SlotAccount account = free.isEmpty() ? new SlotAccount() : free.poll();
    account.slot = slot;
    account.withdrawnBytes = 0;
    open.add(account);
    return account;
  }

  /** Puts an account back into the pool if all its counters are zero. */
  public void releaseIfZero(SlotAccount account) {
    if (account.credits != 0 || account.unannounced != 0 || account.withdrawn != 0) {
      return;
    }
    open.remove(account);
    free.push(account);
  }
}
