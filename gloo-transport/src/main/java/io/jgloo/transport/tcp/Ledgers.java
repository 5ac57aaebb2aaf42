package io.jgloo.transport.tcp;

import io.jgloo.transport.engine.SlotChain;
import java.util.ArrayDeque;

/**
 * The slots of a pair on which something is open; few at a time, reused.
 *
 * <p><i>Threads</i>: under the mesh's lock.
 */
final class Ledgers {

  private final SlotChain<Ledger> open = new SlotChain<>();
  private final ArrayDeque<Ledger> free = new ArrayDeque<>();

  /** The slot's ledger, or null if nothing is open. */
  Ledger find(long slot) {
    return open.find(slot);
  }

  /** The slot's ledger, a new one if need be. */
  Ledger at(long slot) {
    Ledger found = find(slot);
    if (found != null) {
      return found;
    }
    Ledger ledger = free.isEmpty() ? new Ledger() : free.poll();
    ledger.slot = slot;
    ledger.spareBytes = 0;
    open.add(ledger);
    return ledger;
  }

  /** Forgets a ledger that has become empty. */
  void settle(Ledger ledger) {
    if (ledger.credits != 0 || ledger.unannounced != 0 || ledger.spare != 0) {
      return;
    }
    open.remove(ledger);
    free.push(ledger);
  }
}
