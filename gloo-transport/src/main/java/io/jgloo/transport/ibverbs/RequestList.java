package io.jgloo.transport.ibverbs;

import io.jgloo.transport.GlooException;

/**
 * Requests in order, linked through themselves: no allocation, and short, as receives match near
 * the front.
 */
final class RequestList {

  private IbverbsRequest first;
  private IbverbsRequest last;

  boolean isEmpty() {
    return first == null;
  }

  IbverbsRequest first() {
    return first;
  }

  void add(IbverbsRequest request) {
    request.next = null;
    if (last == null) {
      first = request;
    } else {
      last.next = request;
    }
    last = request;
  }

  void addFirst(IbverbsRequest request) {
    request.next = first;
    first = request;
    if (last == null) {
      last = request;
    }
  }

  IbverbsRequest poll() {
    IbverbsRequest request = first;
    if (request != null) {
      unlink(null, request);
    }
    return request;
  }

  /**
   * The first request of a slot, left in place, or null.
   *
   * @param peer that it must listen to, or -1
   */
  IbverbsRequest find(long slot, int peer) {
    for (IbverbsRequest request = first; request != null; request = request.next) {
      if (request.slot() == slot && (peer < 0 || request.peers.get(peer))) {
        return request;
      }
    }
    return null;
  }

  boolean remove(IbverbsRequest request) {
    IbverbsRequest before = null;
    for (IbverbsRequest at = first; at != null; before = at, at = at.next) {
      if (at == request) {
        unlink(before, at);
        return true;
      }
    }
    return false;
  }

  void failAll(GlooException cause) {
    for (IbverbsRequest request = poll(); request != null; request = poll()) {
      request.fail(cause);
    }
  }

  private void unlink(IbverbsRequest before, IbverbsRequest request) {
    if (before == null) {
      first = request.next;
    } else {
      before.next = request.next;
    }
    if (last == request) {
      last = before;
    }
    request.next = null;
  }
}
