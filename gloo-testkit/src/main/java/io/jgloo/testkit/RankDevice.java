package io.jgloo.testkit;

import io.jgloo.transport.Address;
import io.jgloo.transport.Clock;
import io.jgloo.transport.Device;
import io.jgloo.transport.Device.FailureScope;
import io.jgloo.transport.Device.Liveness;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.JobSecret;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Slot;
import io.jgloo.transport.TlsOptions;
import io.jgloo.transport.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/** The device of one rank, which knows the meshes it has made and counts their calls. */
final class RankDevice implements Device {

  private final Device device;
  private final LongConsumer posting;
  private final List<RankMesh> meshes = new ArrayList<>();

  /**
   * @param posting called before a message is posted: with the number of the collective, 1 for the
   *     first, if it is one of the first group, else with 0
   */
  RankDevice(Device device, LongConsumer posting) {
    this.device = device;
    this.posting = posting;
  }

  @Override
  public Mesh newMesh(Membership membership) {
    return newMesh(membership, FailureScope.COLLECTIVE);
  }

  @Override
  public Mesh newMesh(Membership membership, FailureScope scope) {
    synchronized (meshes) {
      boolean first = meshes.isEmpty();
      RankMesh mesh =
          new RankMesh(
              device.newMesh(membership, scope),
              slot -> posting.accept(first && isCollective(slot) ? Slot.number(slot) + 1 : 0));
      meshes.add(mesh);
      return mesh;
    }
  }

  private static boolean isCollective(long slot) {
    return Slot.space(slot) == Slot.COLLECTIVE;
  }

  private List<RankMesh> meshes() {
    synchronized (meshes) {
      return List.copyOf(meshes);
    }
  }

  /** The groups and their memory that have not been closed. */
  List<String> open() {
    return meshes().stream().flatMap(mesh -> mesh.open().stream()).toList();
  }

  /** Ends all calls of this rank. */
  void abort(JGlooException cause) {
    meshes().forEach(mesh -> mesh.abort(cause));
  }

  @Override
  public String name() {
    return device.name();
  }

  @Override
  public Wire wire() {
    return device.wire();
  }

  @Override
  public Optional<JobSecret> secret() {
    return device.secret();
  }

  @Override
  public Optional<TlsOptions> tls() {
    return device.tls();
  }

  @Override
  public Clock clock() {
    return device.clock();
  }

  @Override
  public Liveness liveness(Address address, Duration timeout) {
    return device.liveness(address, timeout);
  }

  @Override
  public void close() {
    device.close();
  }

  @Override
  public String toString() {
    return device.toString();
  }
}
