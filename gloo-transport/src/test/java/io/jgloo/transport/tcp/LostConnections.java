package io.jgloo.transport.tcp;

import io.jgloo.transport.Mesh;
import io.jgloo.transport.tcp.socket.Link;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Breaks the connections of a mesh without a word, as the end of its process does. */
public final class LostConnections {

  private LostConnections() {}

  /** Breaks all of them. */
  public static void of(Mesh mesh) {
    TcpMesh tcp = (TcpMesh) mesh;
    tcp.lock();
    try {
      for (int peer = 0; peer < tcp.size(); peer++) {
        if (peer != tcp.rank()) {
          for (Link link : tcp.streamAt(peer).links()) {
            link.shutdown();
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      tcp.unlock();
    }
  }
}
