package io.jgloo.collectives.execution;

import io.jgloo.transport.capability.Cells;

/**
 * Calls that do not use cells, to be noted where peers that wait for cells find them.
 *
 * <p><em>Threads</em>: any, {@link #write} by the one that makes progress.
 */
final class CallLog {

  private static final int ENTRIES = 16;

  private final Cells.Channel[] channels;
  private final long[] sequences = new long[ENTRIES];
  private final long[] highs = new long[ENTRIES];
  private final long[] lows = new long[ENTRIES];
  private volatile int count;

  /**
   * @param channels by peer, null for this rank
   */
  CallLog(Cells.Channel[] channels) {
    this.channels = channels;
  }

  /** Keeps a call until it is written; of too many, the last one is forgotten. */
  synchronized void add(long sequence, long high, long low) {
    int at = Math.min(count, ENTRIES - 1);
    sequences[at] = sequence;
    highs[at] = high;
    lows[at] = low;
    count = at + 1;
  }

  /** Writes what is kept. */
  void write(Cells cells) {
    if (count > 0 && cells.isOpen()) {
      writeAll();
    }
  }

  private synchronized void writeAll() {
    for (int i = 0; i < count; i++) {
      for (Cells.Channel channel : channels) {
        if (channel != null) {
          channel.log(sequences[i], highs[i], lows[i]);
        }
      }
    }
    count = 0;
  }
}
