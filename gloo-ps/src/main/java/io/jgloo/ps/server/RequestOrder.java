package io.jgloo.ps.server;

import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.rpc.message.IncomingRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Puts the requests of one worker and customer into their order: the messenger delivers a long one
 * after short ones that were sent later.
 *
 * <p>A request comes after those of lower number in its stream, and after the one that it names in
 * each other stream. A number that the worker does not send is skipped.
 *
 * <p><i>Threads</i>: one at a time.
 */
public final class RequestOrder {

  /** A request; without one, a number that is skipped. */
  public record Entry(KvProtocol.Head head, IncomingRequest request) {
    private boolean isSkipped() {
      return head == null;
    }
  }

  private static final Entry SKIPPED = new Entry(null, null);

  private final List<TreeMap<Long, Entry>> waiting = new ArrayList<>();
  private final long[] next = new long[KvProtocol.STREAMS];

  public RequestOrder() {
    for (int stream = 0; stream < KvProtocol.STREAMS; stream++) {
      waiting.add(new TreeMap<>());
      next[stream] = 1;
    }
  }

  /** Adds a request; false if there was one of its number. */
  public boolean add(KvProtocol.Head head, IncomingRequest request) {
    return head.order().number() >= next[head.order().stream()]
        && waiting
                .get(head.order().stream())
                .putIfAbsent(head.order().number(), new Entry(head, request))
            == null;
  }

  public void skip(int stream, long number) {
    if (number >= next[stream]) {
      waiting.get(stream).putIfAbsent(number, SKIPPED);
    }
  }

  /** Takes a request whose turn it is, or null. */
  public Entry poll() {
    for (int stream = 0; stream < KvProtocol.STREAMS; stream++) {
      TreeMap<Long, Entry> entries = waiting.get(stream);
      while (!entries.isEmpty() && entries.firstKey() == next[stream]) {
        Entry entry = entries.firstEntry().getValue();
        if (!entry.isSkipped() && !mayFollow(entry.head())) {
          break;
        }
        entries.pollFirstEntry();
        next[stream]++;
        if (!entry.isSkipped()) {
          return entry;
        }
        stream = 0; // what waited for the number may go now
        entries = waiting.get(stream);
      }
    }
    return null;
  }

  /** The request that was taken last in its stream is to come again, before those after it. */
  public void repeat(KvProtocol.Head head) {
    next[head.order().stream()] = head.order().number();
  }

  private boolean mayFollow(KvProtocol.Head head) {
    for (int stream = 0; stream < KvProtocol.STREAMS; stream++) {
      if (head.order().after(stream) >= next[stream]) {
        return false;
      }
    }
    return true;
  }

  /** Gives up the requests that wait. */
  public void end() {
    for (Map<Long, Entry> entries : waiting) {
      for (Entry entry : entries.values()) {
        if (!entry.isSkipped()) {
          entry.request().refuse("its worker is lost, or the application is closed");
          entry.request().message().close();
        }
      }
      entries.clear();
    }
  }
}
