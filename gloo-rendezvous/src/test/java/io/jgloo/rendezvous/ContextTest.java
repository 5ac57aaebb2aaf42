package io.jgloo.rendezvous;

import io.jgloo.rendezvous.store.ExtendedStore;
import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.rendezvous.store.PrefixStore;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import org.junit.jupiter.api.Nested;

/** Ranks meet in a store. */
final class ContextTest {
  static Device tcp() {
    return Devices.open("tcp", DeviceOptions.DEFAULTS.with("bind", "127.0.0.1"));
  }

  @Nested
  final class InHashStore extends ContextContract {
    private final HashStore store = new HashStore(LONG);

    @Override
    protected ExtendedStore openStore() {
      return new PrefixStore("job", store);
    }

    @Override
    protected Device openDevice() {
      return tcp();
    }
  }
}
