package io.jgloo.transport.tcp;

import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.DeviceProvider;
import io.jgloo.transport.engine.Platform;
import io.jgloo.transport.tcp.connect.Endpoint;
import io.jgloo.transport.tcp.socket.Sockets;
import java.util.Optional;

/** Opens TCP devices; see {@link TcpAttributes} for what can be set. */
public final class TcpProvider implements DeviceProvider {

  @Override
  public String name() {
    return Endpoint.DEVICE;
  }

  @Override
  public Optional<String> unavailability() {
    return Optional.empty();
  }

  @Override
  public Device open(DeviceOptions options) {
    return new TcpDevice(TcpAttributes.parse(options));
  }

  /**
   * Opens a device on other sockets and another platform than the machine's.
   *
   * @param name of the kind of device, as in addresses
   */
  public static Device open(
      String name, DeviceOptions options, Platform platform, Sockets sockets) {
    return new TcpDevice(name, TcpAttributes.parse(options), platform, sockets);
  }
}
