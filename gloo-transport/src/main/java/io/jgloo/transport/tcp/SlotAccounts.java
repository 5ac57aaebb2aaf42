package io.jgloo.transport.tcp;

import io.jgloo.transport.engine.SlotChain;
import java.util.ArrayDeque;

/**
 * The slots of a pair on which something is open; few at a time, reused.
 *
 * <p><i>Threads</i>: under the mesh's lock.
 */
final class SlotAccounts {

  private final SlotChain<SlotAccount> open = new SlotChain<>();
  private final ArrayDeque<SlotAccount> free = new ArrayDeque<>();

  /** The slot's ledger, or null if nothing is open. */
  SlotAccount find(long slot) {
    return open.find(slot);
  }

  /** The slot's ledger, a new one if need be. */
  SlotAccount at(long slot) {
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

  /** Forgets a ledger that has become empty. */
  void releaseIfZero(SlotAccount account) {
    if (account.credits != 0 || account.unannounced != 0 || account.withdrawn != 0) {
      return;
    }
    open.remove(account);
    free.push(account);
  }
}
