package io.jgloo.rendezvous;

import io.jgloo.transport.Address;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.cppgloo.CppGlooAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The value of a rank of current Gloo in the store: its host's name, the address it listens on, and
 * the numbers of its pairs. In the byte order of the host:
 *
 * <pre>
 *    0      i64  H, length of the name
 *    8      H    the name
 *    8 + H  i64  136
 *   16 + H  136  the address the device listens on ({@link CppGlooAddress})
 *  152 + H  i64  for each rank, own included, the number it must present; nothing with
 *                connecting=lazy
 * </pre>
 */
final class CppGlooRankBlob {
  private static final int LONGEST_NAME = 1024; // C++ has room for 192

  private CppGlooRankBlob() {}

  static byte[] encode(Address address) {
    byte[] host = address.host().getBytes(StandardCharsets.UTF_8);
    byte[] payload = address.payload();
    return ByteBuffer.allocate(2 * Long.BYTES + host.length + payload.length)
        .order(ByteOrder.nativeOrder())
        .putLong(host.length)
        .put(host)
        .putLong(CppGlooAddress.BYTES)
        .put(payload)
        .array();
  }

  /**
   * Reads a blob.
   *
   * @throws ProtocolException if it is none
   */
  static Address decode(String device, int rank, byte[] blob) {
    ByteBuffer in = ByteBuffer.wrap(blob).order(ByteOrder.nativeOrder());
    long name = in.remaining() < Long.BYTES ? -1 : in.getLong();
    if (name < 0 || name > Math.min(LONGEST_NAME, in.remaining())) {
      throw broken(rank, blob);
    }
    byte[] host = new byte[(int) name];
    in.get(host);
    if (in.remaining() < Long.BYTES + CppGlooAddress.BYTES
        || in.getLong() != CppGlooAddress.BYTES
        || (in.remaining() - CppGlooAddress.BYTES) % Long.BYTES != 0) {
      throw broken(rank, blob);
    }
    byte[] payload = new byte[in.remaining()];
    in.get(payload);
    return address(device, new String(host, StandardCharsets.UTF_8), payload);
  }

  /** The address of a rank with this payload. */
  static Address address(String device, String host, byte[] payload) {
    CppGlooAddress first = CppGlooAddress.decode(Arrays.copyOf(payload, CppGlooAddress.BYTES));
    String text = first.listener().getAddress().getHostAddress() + ":" + first.listener().getPort();
    return new Address(device, host, text, payload);
  }

  private static ProtocolException broken(int rank, byte[] blob) {
    return new ProtocolException(
        ("the value of rank " + rank + " in the store, " + blob.length)
            + " bytes, is not that of a Gloo rank; do all ranks use the same prefix and wire?");
  }
}
