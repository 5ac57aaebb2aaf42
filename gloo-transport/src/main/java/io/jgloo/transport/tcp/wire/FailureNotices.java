package io.jgloo.transport.tcp.wire;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The failure notices of the latest meshes of a device, for ranks that connect after the failure.
 *
 * <p><i>Threads</i>: any.
 */
public final class FailureNotices {

  /** Of some 100 bytes each. */
  private static final int KEPT = 256;

  private final Map<UUID, byte[]> notices =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<UUID, byte[]> eldest) {
          return size() > KEPT;
        }
      };

  public synchronized void add(UUID incarnation, byte[] notice) {
    notices.put(incarnation, notice);
  }

  /** The abort notice of a mesh, or null. */
  public synchronized byte[] find(UUID incarnation) {
    return notices.get(incarnation);
  }
}
