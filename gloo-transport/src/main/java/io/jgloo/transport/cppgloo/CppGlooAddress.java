package io.jgloo.transport.cppgloo;

import io.jgloo.transport.Address;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.Wire;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The address of a pair of a C++ Gloo rank, in Gloo's 136 bytes.
 *
 * <pre>
 *    0  sockaddr_storage of Linux, 128 bytes: family (2 or 10) in native order, port in network
 *       order; IPv4: 4 bytes of address at 4; IPv6: flow at 4, 16 bytes of address at 8, scope
 *       at 24.
 *       C++ leaves unused bytes undefined; JGloo writes zeros and ignores them.
 *  128  i64 number that a connection must present, -1 for none
 * </pre>
 *
 * <p>The payload of an {@link Address} of a Gloo wire is made of these. {@link Wire#GLOO}: one,
 * then a number for each rank, own included, or no numbers at all; {@link Wire#GLOO_CLASSIC}: one
 * for each other rank, in order.
 *
 * @param listener where to connect to
 * @param sequence the number to present, or {@link #NO_SEQUENCE}
 */
public record CppGlooAddress(InetSocketAddress listener, long sequence) {

  /** Encoded length. */
  public static final int BYTES = 136;

  /** Connecting takes no number, or the number stands elsewhere. */
  public static final long NO_SEQUENCE = -1;

  private static final int STORAGE_BYTES = 128;
  private static final short IPV4 = 2;
  private static final short IPV6 = 10;

  /** The 136 bytes. */
  public byte[] encode() {
    ByteBuffer out = ByteBuffer.allocate(BYTES);
    InetAddress ip = listener.getAddress();
    boolean six = ip instanceof Inet6Address;
    out.order(ByteOrder.nativeOrder()).putShort(six ? IPV6 : IPV4);
    out.order(ByteOrder.BIG_ENDIAN).putShort((short) listener.getPort());
    if (six) {
      out.putInt(0);
    }
    out.put(ip.getAddress());
    out.order(ByteOrder.nativeOrder());
    if (ip instanceof Inet6Address scoped) {
      out.putInt(scoped.getScopeId());
    }
    return out.putLong(STORAGE_BYTES, sequence).array();
  }

  /**
   * Reads 136 bytes.
   *
   * @throws ProtocolException if they are no such address
   */
  public static CppGlooAddress decode(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new ProtocolException(
          "a Gloo address must have " + BYTES + " bytes, but has " + bytes.length);
    }
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    short family = in.getShort();
    int port = Short.toUnsignedInt(in.order(ByteOrder.BIG_ENDIAN).getShort());
    try {
      return new CppGlooAddress(
          new InetSocketAddress(ip(family, in), port),
          in.order(ByteOrder.nativeOrder()).getLong(STORAGE_BYTES));
    } catch (UnknownHostException e) {
      throw new ProtocolException("a Gloo address holds an invalid IP address", e);
    }
  }

  private static InetAddress ip(short family, ByteBuffer in) throws UnknownHostException {
    if (family == IPV4) {
      byte[] four = new byte[4];
      in.get(four);
      return InetAddress.getByAddress(four);
    }
    if (family != IPV6) {
      throw new ProtocolException("a Gloo address has the unknown family " + family);
    }
    byte[] six = new byte[16];
    in.getInt(); // flow
    in.get(six);
    int scope = in.order(ByteOrder.nativeOrder()).getInt();
    InetAddress plain = InetAddress.getByAddress(six);
    boolean scoped = scope != 0 && plain.isLinkLocalAddress();
    return scoped ? Inet6Address.getByAddress(null, six, scope) : plain;
  }

  /**
   * Whether a pair at this address connects to one at that address, or the other way round.
   *
   * @param own number the own pair listens for
   * @param peer the other side, its number the one that this rank would present
   * @throws ProtocolException if the addresses are equal or of different families
   */
  public static boolean connects(CppGlooAddress own, CppGlooAddress peer) {
    byte[] ours = own.listener.getAddress().getAddress();
    byte[] theirs = peer.listener.getAddress().getAddress();
    if (ours.length != theirs.length) {
      throw new ProtocolException(
          (own.listener + " and " + peer.listener + " are of different families")
              + ": bind all ranks to IPv4, or all to IPv6");
    }
    int order = Arrays.compareUnsigned(ours, theirs);
    if (order == 0) {
      order = Integer.compare(storedPort(own), storedPort(peer));
    }
    if (order == 0) {
      order = Long.compare(own.sequence, peer.sequence);
    }
    if (order == 0) {
      throw new ProtocolException("the peer at " + peer.listener + " has the address of this rank");
    }
    return order > 0;
  }

  /** The two bytes of the port as they lie in memory, read as a number of this machine. */
  private static int storedPort(CppGlooAddress address) {
    int port = address.listener.getPort();
    boolean swapped = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    return swapped ? Short.toUnsignedInt(Short.reverseBytes((short) port)) : port;
  }

  /**
   * What a mesh's address holds for the pair with a rank.
   *
   * @param payload of the address of rank {@code of}
   * @param peer rank at the other end of the pair
   * @throws ProtocolException if the payload does not fit the wire and the size
   */
  public static CppGlooAddress ofPair(Wire wire, byte[] payload, int of, int peer, int size) {
    if (wire == Wire.GLOO_CLASSIC) {
      checkLength(payload, (size - 1) * BYTES, -1);
      int from = index(of, peer) * BYTES;
      return decode(Arrays.copyOfRange(payload, from, from + BYTES));
    }
    checkLength(payload, BYTES + Long.BYTES * size, BYTES);
    CppGlooAddress device = decode(Arrays.copyOf(payload, BYTES));
    if (payload.length == BYTES) {
      return device;
    }
    ByteBuffer numbers = ByteBuffer.wrap(payload).order(ByteOrder.nativeOrder());
    return new CppGlooAddress(device.listener, numbers.getLong(BYTES + Long.BYTES * peer));
  }

  /** A mesh's payload with the address of one pair only, as a peer has sent it. */
  public static byte[] payloadOfPair(Wire wire, CppGlooAddress pair, int of, int peer, int size) {
    if (wire == Wire.GLOO_CLASSIC) {
      ByteBuffer out = ByteBuffer.allocate((size - 1) * BYTES);
      for (int i = 0; i < size - 1; i++) {
        out.put(pair.encode());
      }
      return out.array();
    }
    ByteBuffer out = ByteBuffer.allocate(BYTES + Long.BYTES * size).order(ByteOrder.nativeOrder());
    out.put(new CppGlooAddress(pair.listener, NO_SEQUENCE).encode());
    return out.putLong(BYTES + Long.BYTES * peer, pair.sequence).array();
  }

  private static int index(int of, int peer) {
    return peer > of ? peer - 1 : peer;
  }

  private static void checkLength(byte[] payload, int one, int other) {
    if (payload.length != one && payload.length != other) {
      throw new ProtocolException(
          ("a rank's address has " + payload.length + " bytes, but " + one)
              + (other < 0 ? "" : " or " + other)
              + " are expected: group size, wire or mode differ between the ranks");
    }
  }
}
