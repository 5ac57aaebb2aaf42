package io.jgloo.transport.shm;

/**
 * By which a process that is about to block asks the other one to wake it.
 *
 * <p>Each side has a word. It says there what it waits for, completes that with a fence, looks once
 * more, and blocks. The other side publishes, completes that with a fence, and looks at the word.
 * So at least one of the two sees what the other did. The side that wakes first takes the word
 * back, so that a process is woken once for each time it parks.
 *
 * <p><i>Threads</i>: one at a time on each side.
 */
final class Parking {

  /** It runs, and looks by itself. */
  static final long RUNNING = 0;

  /** It waits for bytes. */
  static final long FOR_BYTES = 1;

  /** It waits for bytes or for room. */
  static final long FOR_BYTES_OR_ROOM = 2;

  private final SharedMemory memory;
  private final long own;
  private final long peers;

  Parking(SharedMemory memory, long own, long peers) {
    this.memory = memory;
    this.own = own;
    this.peers = peers;
  }

  /** Asks to be woken; the caller looks again before it blocks. */
  void park(boolean forRoom) {
    memory.putRelease(own, forRoom ? FOR_BYTES_OR_ROOM : FOR_BYTES);
    memory.fullFence();
  }

  /** Asks no more. A wake-up may be on its way all the same. */
  void unpark() {
    memory.putRelease(own, RUNNING);
  }

  /** Bytes have been published: whether the caller must wake the other side. */
  boolean mustWakeForBytes() {
    memory.fullFence();
    return wakes(memory.getAcquire(peers));
  }

  /** Room has been published: whether the caller must wake the other side. */
  boolean mustWakeForRoom() {
    memory.fullFence();
    long state = memory.getAcquire(peers);
    return state == FOR_BYTES_OR_ROOM && wakes(state);
  }

  /** If the word has changed since, the other side has looked, or looks before it blocks. */
  private boolean wakes(long state) {
    return state != RUNNING && memory.compareAndSet(peers, state, RUNNING);
  }
}
