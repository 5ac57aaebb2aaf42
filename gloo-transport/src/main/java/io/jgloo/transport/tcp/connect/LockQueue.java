package io.jgloo.transport.tcp.connect;

import java.util.ArrayList;
import java.util.List;

/**
 * The control connections that wait for the lock of a mesh, in order of arrival: the connections of
 * a pair, and the attempts to make them, are identified by their order.
 *
 * <p><i>Threads</i>: the device's thread.
 */
public final class LockQueue {

  private record Entry(ConnectMesh mesh, ControlConnection connection) {}

  private final List<Entry> entries = new ArrayList<>();

  /** Takes the mesh's lock if it is free and the connection is next; else queues the connection. */
  boolean enter(ConnectMesh mesh, ControlConnection connection) {
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
