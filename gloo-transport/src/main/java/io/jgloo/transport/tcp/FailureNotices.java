package io.jgloo.transport.tcp;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Why the latest meshes of a device failed, for ranks that come to them too late to have heard.
 *
 * <p><i>Threads</i>: any.
 */
final class FailureNotices {

  /** Of some 100 bytes each. */
  private static final int KEPT = 256;

  private final Map<UUID, byte[]> notices =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<UUID, byte[]> eldest) {
          return size() > KEPT;
        }
      };

  synchronized void add(UUID incarnation, byte[] notice) {
    notices.put(incarnation, notice);
  }

  /** The abort notice of a mesh, or null. */
  synchronized byte[] find(UUID incarnation) {
    return notices.get(incarnation);
  }
}
