package io.jgloo.rendezvous.store.tcp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;

/**
 * The bytes of replies that one client has not read, charged to the server's {@link ReplyBudget}.
 *
 * <p>Threads: the server's loop only.
 */
final class ReplyAccount {
  private final ReplyBudget budget;
  private long bytes;
  private long sinceNanos;
  private long lastBytes; // at the last look
  private int looksUnread;

  ReplyAccount(ReplyBudget budget) {
    this.budget = budget;
  }

  /** Charges what the channel holds now, and bytes that are not written to it yet. */
  void settle(Channel channel, long unwritten) {
    ChannelOutboundBuffer written = channel.unsafe().outboundBuffer(); // null once it is closed
    long now = unwritten + (written == null ? 0 : written.totalPendingWriteBytes());
    if (bytes == 0 && now > 0) {
      sinceNanos = System.nanoTime();
    }
    long more = now - bytes;
    bytes = now;
    budget.charge(more);
  }

  /** Whether the client has read everything, as far as {@link #settle} knows. */
  boolean isEmpty() {
    return bytes == 0;
  }

  /** How many looks in a row, this one included, saw that nothing of it was read. */
  int look() {
    looksUnread = bytes == 0 || bytes < lastBytes ? 0 : looksUnread + 1;
    lastBytes = bytes;
    return looksUnread;
  }

  /** How long there has been something to read without a break. */
  long nanos(long now) {
    return bytes == 0 ? 0 : now - sinceNanos;
  }
}
