package io.jgloo.rendezvous.store.tcp;

import io.jgloo.rendezvous.store.table.StoreTable;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * The memory that replies of one server occupy until their clients have read them, and the
 * connections that wait for room in it.
 *
 * <p>The last quarter is reserved for small replies, so that a few clients that request much and
 * read nothing do not block the others.
 *
 * <p>Threads: the server's loop only.
 */
final class ReplyBudget {
  /** What a reply costs for each of its values beyond their bytes: a reference. */
  private static final int ITEM_BYTES = 8;

  private final long maxBytes;
  private final Executor loop;
  private final Set<StoreSession> waiting = new LinkedHashSet<>();
  private long bytes;
  private boolean resuming;

  ReplyBudget(long maxBytes, Executor loop) {
    this.maxBytes = maxBytes;
    this.loop = loop;
  }

  /** Counts bytes more, or fewer if negative. */
  void charge(long more) {
    bytes += more;
    if (more < 0 && !resuming && !waiting.isEmpty()) {
      resuming = true;
      loop.execute(this::resume);
    }
  }

  /**
   * Whether a request may be carried out now.
   *
   * @param large bytes of its reply as {@link #large} counts them
   */
  boolean admits(long large) {
    return large == 0 ? bytes < maxBytes : bytes + large <= maxBytes - maxBytes / 4;
  }

  /**
   * Bytes that the reply to a request will hold beyond a small amount. At most half of the budget,
   * so that any reply fits.
   */
  long large(StoreTable table, StoreRequest request) {
    long size =
        switch (request.opcode()) {
          case GET -> valueBytes(table, request.key());
          case MULTI_GET -> {
            long sum = 0;
            for (String key : request.keys()) {
              sum += valueBytes(table, key);
            }
            // A value that is named twice is held once, and all of them are in the table now.
            yield Math.min(sum, table.bytes()) + (long) ITEM_BYTES * request.keys().size();
          }
          case LIST_KEYS -> StoreRequestDecoder.bytes(table.keys());
          default -> 0;
        };
    return size <= StoreSession.COPIED_VALUE_BYTES ? 0 : Math.min(size, maxBytes / 2);
  }

  private static long valueBytes(StoreTable table, String key) {
    byte[] value = table.get(key);
    return value == null ? 0 : value.length;
  }

  /** Resumes the connection when there may be room. */
  void await(StoreSession session) {
    waiting.add(session);
  }

  void forget(StoreSession session) {
    waiting.remove(session);
  }

  boolean isWaiting(StoreSession session) {
    return waiting.contains(session);
  }

  boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  /** Resumes the connections for which there is room, in the order of their waits. */
  private void resume() {
    resuming = false;
    if (bytes >= maxBytes) {
      return;
    }
    for (StoreSession session : List.copyOf(waiting)) {
      if (admits(session.delayedReplyBytes()) && waiting.remove(session)) {
        session.resume();
      }
    }
  }

  /** The bytes of replies that one client has not read. */
  final class Account {
    private long unread;
    private long sinceNanos;
    private long lastBytes; // at the last look
    private int looksUnread;

    /** Charges what the channel holds now, and bytes that are not written to it yet. */
    void settle(Channel channel, long unwritten) {
      ChannelOutboundBuffer written = channel.unsafe().outboundBuffer(); // null once it is closed
      long now = unwritten + (written == null ? 0 : written.totalPendingWriteBytes());
      if (unread == 0 && now > 0) {
        sinceNanos = System.nanoTime();
      }
      long more = now - unread;
      unread = now;
      charge(more);
    }

    /** Whether the client has read everything, as far as {@link #settle} knows. */
    boolean isEmpty() {
      return unread == 0;
    }

    /** How many looks in a row, this one included, saw that nothing of it was read. */
    int look() {
      looksUnread = unread == 0 || unread < lastBytes ? 0 : looksUnread + 1;
      lastBytes = unread;
      return looksUnread;
    }

    /** How long there has been something to read without a break. */
    long nanos(long now) {
      return unread == 0 ? 0 : now - sinceNanos;
    }
  }
}
