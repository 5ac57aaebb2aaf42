package io.jgloo.rendezvous;

import io.jgloo.rendezvous.store.ExtendedStore;
import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.rendezvous.store.PrefixStore;
import io.jgloo.transport.Address;
import io.jgloo.transport.Clock;
import io.jgloo.transport.Device;
import io.jgloo.transport.Liveness;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import java.time.Duration;

/** Ranks meet by a device that cannot check the liveness of a peer. */
final class UnknownLivenessTest extends ContextContract {
  private final HashStore store = new HashStore(LONG);

  @Override
  protected ExtendedStore openStore() {
    return new PrefixStore("job", store);
  }

  @Override
  protected Device openDevice() {
    return new Ignorant(ContextTest.tcp());
  }

  @Override
  protected boolean tellsLiveness() {
    return false;
  }

  /** A device whose network drops liveness probes. */
  private record Ignorant(Device device) implements Device {
    @Override
    public String name() {
      return device.name();
    }

    @Override
    public Clock clock() {
      return device.clock();
    }

    @Override
    public Mesh newMesh(Membership membership) {
      return device.newMesh(membership);
    }

    @Override
    public Liveness liveness(Address address, Duration timeout) {
      return Liveness.UNKNOWN;
    }

    @Override
    public void close() {
      device.close();
    }
  }
}
