package io.jgloo.transport.tcp;

import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.DeviceProvider;
import java.util.Optional;

/** Opens TCP devices; see {@link TcpAttributes} for what can be set. */
public final class TcpProvider implements DeviceProvider {

  static final String NAME = "tcp";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Optional<String> unavailability() {
    return Optional.empty();
  }

  @Override
  public Device open(DeviceOptions options) {
    return new TcpDevice(TcpAttributes.parse(options));
  }
}
