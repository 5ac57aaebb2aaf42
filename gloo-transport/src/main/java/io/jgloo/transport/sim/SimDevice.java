package io.jgloo.transport.sim;

import io.jgloo.transport.Address;
import io.jgloo.transport.Clock;
import io.jgloo.transport.ClosedException;
import io.jgloo.transport.Device;
import io.jgloo.transport.Liveness;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One rank's way into a simulated world. */
final class SimDevice implements Device {

  private final SimWorld world;
  private final Node node;
  private final Runnable onClose;
  private final List<SimMesh> meshes = new ArrayList<>();
  private boolean closed;

  SimDevice(SimWorld world, Node node, Runnable onClose) {
    this.world = world;
    this.node = node;
    this.onClose = onClose;
  }

  SimWorld world() {
    return world;
  }

  Node node() {
    return node;
  }

  @Override
  public String name() {
    return Network.DEVICE;
  }

  @Override
  public Clock clock() {
    return world.clock();
  }

  @Override
  public Mesh newMesh(Membership membership) {
    Strand self = world.scheduler().enter(node);
    try {
      if (closed) {
        throw new ClosedException("the device of " + node + " is closed");
      }
      SimMesh mesh = world.network().add(this, membership);
      meshes.add(mesh);
      return mesh;
    } finally {
      world.scheduler().leave(self);
    }
  }

  @Override
  public Liveness liveness(Address address, Duration timeout) {
    Scheduler scheduler = world.scheduler();
    Strand self = scheduler.enter(node);
    try {
      Network network = world.network();
      Node there = network.node(address);
      if (there == null) {
        return Liveness.UNKNOWN;
      }
      Link way = network.link(node, there);
      Link back = network.link(there, node);
      long now = scheduler.timeline.now();
      long answer = now + way.delay() + back.delay();
      long until = scheduler.virtual(scheduler.nanoTime() + Clock.nanos(timeout));
      boolean heard =
          !(way.isBlocked() || back.isCut() || (there.hasCrashed() && there.isSilent()))
              && answer <= until;
      if (self != null) {
        self = scheduler.block(self, node, null, null, heard ? answer : until);
      }
      if (!heard) {
        return Liveness.UNKNOWN;
      }
      return network.mesh(address) == null ? Liveness.GONE : Liveness.ALIVE;
    } finally {
      scheduler.leave(self);
    }
  }

  /** A mesh has closed; the lock is held. */
  void forget(SimMesh mesh) {
    meshes.remove(mesh);
  }

  @Override
  public void close() {
    Scheduler scheduler = world.scheduler();
    scheduler.lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      List.copyOf(meshes).forEach(SimMesh::close);
      onClose.run();
    } finally {
      scheduler.lock.unlock();
    }
  }

  @Override
  public String toString() {
    return "sim device of " + node;
  }
}
