package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.Address;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.cppgloo.CppGlooAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * The part of a TCP mesh in its {@link Address}. Big-endian:
 *
 * <pre>
 *    0  16 bytes  incarnation of the mesh, chosen at random when it is made
 *   16  u16       port
 *   18  u8        4 or 16, then that many bytes of IP address
 * </pre>
 *
 * @param incarnation distinguishes this mesh from any other that used its rank or its port
 * @param listener where it listens
 */
public record Endpoint(UUID incarnation, InetSocketAddress listener) {

  /** The name of a TCP device. */
  public static final String DEVICE = "tcp";

  /**
   * The endpoint of a Gloo wire, where connections do not name an incarnation: it is derived from
   * the address and the number.
   */
  static Endpoint ofForeigner(CppGlooAddress address) {
    return new Endpoint(UUID.nameUUIDFromBytes(address.encode()), address.listener());
  }

  public byte[] encode() {
    byte[] ip = listener.getAddress().getAddress();
    return ByteBuffer.allocate(19 + ip.length)
        .putLong(incarnation.getMostSignificantBits())
        .putLong(incarnation.getLeastSignificantBits())
        .putShort((short) listener.getPort())
        .put((byte) ip.length)
        .put(ip)
        .array();
  }

  /** The endpoint in an address of a TCP device. */
  public static Endpoint decode(Address address) {
    return decode(address, DEVICE);
  }

  /**
   * @param device name of the device that the address must be of
   * @throws ProtocolException if the address is not one of such a device's mesh
   */
  public static Endpoint decode(Address address, String device) {
    if (!address.device().equals(device)) {
      throw new ProtocolException(
          ("the address " + address + " is of device " + address.device())
              + (", but this device is " + device));
    }
    ByteBuffer in = ByteBuffer.wrap(address.payload());
    try {
      UUID incarnation = new UUID(in.getLong(), in.getLong());
      int port = Short.toUnsignedInt(in.getShort());
      byte[] ip = new byte[in.get()];
      in.get(ip);
      return new Endpoint(incarnation, new InetSocketAddress(InetAddress.getByAddress(ip), port));
    } catch (BufferUnderflowException | NegativeArraySizeException | UnknownHostException e) {
      throw new ProtocolException("the address " + address + " is malformed", e);
    }
  }
}
