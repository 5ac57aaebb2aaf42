package io.jgloo.transport.tcp;

import java.util.function.Consumer;

/**
 * Requests in order, linked through themselves: no allocation, and short, as receives match near
 * the front.
 */
final class RequestList {

  private TcpRequest first;
  private TcpRequest last;

  boolean isEmpty() {
    return first == null;
  }

  TcpRequest first() {
    return first;
  }

  void add(TcpRequest request) {
    request.next = null;
    if (last == null) {
      first = request;
    } else {
      last.next = request;
    }
    last = request;
  }

  void addFirst(TcpRequest request) {
    request.next = first;
    first = request;
    if (last == null) {
      last = request;
    }
  }

  /** Adds a request before the first of its slot that was posted later. */
  void addInOrder(TcpRequest request) {
    TcpRequest before = null;
    TcpRequest at = first;
    while (at != null && (at.slot() != request.slot() || at.order < request.order)) {
      before = at;
      at = at.next;
    }
    if (at == null) {
      add(request);
    } else if (before == null) {
      addFirst(request);
    } else {
      request.next = at;
      before.next = request;
    }
  }

  TcpRequest poll() {
    TcpRequest request = first;
    if (request != null) {
      unlink(null, request);
    }
    return request;
  }

  /** The first request of a slot, left in place, or null. */
  TcpRequest find(long slot) {
    for (TcpRequest request = first; request != null; request = request.next) {
      if (request.slot() == slot) {
        return request;
      }
    }
    return null;
  }

  /** The first request of a slot that listens to this rank, left in place, or null. */
  TcpRequest find(long slot, int peer) {
    for (TcpRequest request = first; request != null; request = request.next) {
      if (request.slot() == slot && request.peers.get(peer)) {
        return request;
      }
    }
    return null;
  }

  boolean remove(TcpRequest request) {
    TcpRequest before = null;
    for (TcpRequest at = first; at != null; before = at, at = at.next) {
      if (at == request) {
        unlink(before, at);
        return true;
      }
    }
    return false;
  }

  /** Empties the list into an action that may put each request into another list. */
  void drain(Consumer<TcpRequest> action) {
    for (TcpRequest request = poll(); request != null; request = poll()) {
      action.accept(request);
    }
  }

  private void unlink(TcpRequest before, TcpRequest request) {
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
