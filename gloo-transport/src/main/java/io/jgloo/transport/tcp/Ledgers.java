package io.jgloo.transport.tcp;

import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.engine.Chain;

/**
 * The slots of a pair on which something is open; few at a time, reused.
 *
 * <p><i>Threads</i>: under the mesh's lock.
 */
final class Ledgers {

  /** Most slots a peer may have open; beyond that it is not a peer but a flood. */
  private static final int MAX = 1 << 20;

  private final Chain<Ledger> open = new Chain<>();
  private final Chain<Ledger> free = new Chain<>();
  private int count;

  /** The slot's ledger, or null if nothing is open. */
  Ledger find(long slot) {
    Ledger at = open.first();
    while (at != null && at.slot != slot) {
      at = at.next();
    }
    return at;
  }

  /** The slot's ledger, a new one if need be. */
  Ledger at(long slot) {
    Ledger found = find(slot);
    if (found != null) {
      return found;
    }
    if (++count > MAX) {
      throw new ProtocolException("more than " + MAX + " slots with receives nobody sends to");
    }
    Ledger ledger = free.isEmpty() ? new Ledger() : free.poll();
    ledger.slot = slot;
    ledger.spareBytes = 0;
    open.addFirst(ledger);
    return ledger;
  }

  /** Forgets a ledger that has become empty. */
  void settle(Ledger ledger) {
    if (ledger.credits != 0 || ledger.unannounced != 0 || ledger.spare != 0) {
      return;
    }
    open.remove(ledger);
    free.addFirst(ledger);
    count--;
  }
}
