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

  private record Entry(TcpMesh mesh, ControlConnection connection) {}

  private final List<Entry> entries = new ArrayList<>();

  /** Takes the mesh's lock if it is free and the visitor is next; else the visitor is queued. */
  boolean enter(TcpMesh mesh, ControlConnection connection) {
    Entry next = null;
    boolean queued = false;
    for (Entry entry : entries) {
      next = next == null && entry.mesh == mesh ? entry : next;
      queued |= entry.connection == connection;
    }
    if ((next == null || next.connection == connection) && mesh.tryLock()) {
      leave(connection);
      return true;
    }
    if (!queued) {
      entries.add(new Entry(mesh, connection));
    }
    return false;
  }

  void leave(ControlConnection connection) {
    entries.removeIf(each -> each.connection == connection);
  }
}
