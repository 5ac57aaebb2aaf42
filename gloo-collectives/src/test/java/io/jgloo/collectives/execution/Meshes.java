package io.jgloo.collectives.execution;

import io.jgloo.transport.Address;
import io.jgloo.transport.Device;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Connected meshes of all ranks of a group, for tests. */
public final class Meshes {

  private static final Duration PATIENCE = io.jgloo.transport.Ranks.PATIENCE;

  private Meshes() {}

  /** One mesh for each rank, all on one device. */
  public static List<Mesh> connect(Device device, String group, int size) {
    List<Mesh> meshes = new ArrayList<>();
    List<Address> addresses = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      Mesh mesh = device.newMesh(new Membership(group, 0, rank, size));
      meshes.add(mesh);
      addresses.add(mesh.address());
    }
    List<Thread> threads = new ArrayList<>();
    for (Mesh mesh : meshes) {
      Thread thread = new Thread(() -> mesh.connect(addresses, PATIENCE));
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      try {
        thread.join(PATIENCE.toMillis());
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
    return meshes;
  }
}
