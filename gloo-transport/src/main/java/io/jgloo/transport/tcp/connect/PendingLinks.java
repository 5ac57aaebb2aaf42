package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.tcp.socket.Link;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The connections of a pair while not all of them are made: they are made one after the other, in
 * order.
 *
 * <p><i>Threads</i>: of one thread, or under the mesh's lock. <i>Owns</i>: the connections, until
 * they are taken.
 */
public final class PendingLinks {

  private final List<Link> links = new ArrayList<>(1);
  private UUID source;

  /** How many have come. */
  int count() {
    return links.size();
  }

  /** Whether a connection is the next of those this process has made; the first one starts over. */
  boolean isNext(UUID from, int stripe) {
    return stripe == 0 || (stripe == links.size() && from.equals(source));
  }

  void add(UUID from, Link link) {
    source = from;
    links.add(link);
  }

  /** Whether all of a pair's have come; one that goes through memory stands for all. */
  boolean isComplete(int connections) {
    return links.size() == connections || links.get(0).canReadInPlace();
  }

  /** Hands them over. */
  List<Link> take() {
    List<Link> all = List.copyOf(links);
    links.clear();
    return all;
  }

  /** Closes those that have come. */
  void drop() {
    take().forEach(Link::close);
  }
}
