package io.jgloo.transport.tcp;

import java.util.ArrayList;
import java.util.List;

/**
 * The visitors that need a mesh whose lock another thread holds, each in its turn: the connections
 * of a pair, and attempts to make them, are told apart by their order.
 *
 * <p><i>Threads</i>: the device's thread.
 */
final class LockQueue {

  private record Entry(TcpMesh mesh, Visitor visitor) {}

  private final List<Entry> entries = new ArrayList<>();

  /** Takes the mesh's lock if it is free and the visitor is next; else the visitor is queued. */
  boolean enter(TcpMesh mesh, Visitor visitor) {
    Entry next = null;
    boolean queued = false;
    for (Entry entry : entries) {
      next = next == null && entry.mesh == mesh ? entry : next;
      queued |= entry.visitor == visitor;
    }
    if ((next == null || next.visitor == visitor) && mesh.tryLock()) {
      leave(visitor);
      return true;
    }
    if (!queued) {
      entries.add(new Entry(mesh, visitor));
    }
    return false;
  }

  void leave(Visitor visitor) {
    entries.removeIf(each -> each.visitor == visitor);
  }
}
