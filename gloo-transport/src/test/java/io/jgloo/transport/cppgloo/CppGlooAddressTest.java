package io.jgloo.transport.cppgloo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.Wire;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The 136 bytes of an address of Gloo, on a little-endian machine, and who dials whom by them. */
@Timeout(60)
class CppGlooAddressTest {

  private static CppGlooAddress at(String ip, int port, long sequence) throws UnknownHostException {
    return new CppGlooAddress(new InetSocketAddress(InetAddress.getByName(ip), port), sequence);
  }

  private static byte[] bytes(String start, String end) {
    byte[] all = new byte[CppGlooAddress.BYTES];
    byte[] head = HexFormat.of().parseHex(start.replace(" ", ""));
    byte[] tail = HexFormat.of().parseHex(end.replace(" ", ""));
    System.arraycopy(head, 0, all, 0, head.length);
    System.arraycopy(tail, 0, all, all.length - tail.length, tail.length);
    return all;
  }

  @Test
  void ofIpv4() throws UnknownHostException {
    byte[] expected = bytes("02 00 12 34 01 02 03 04", "05 00 00 00 00 00 00 00");
    assertArrayEquals(expected, at("1.2.3.4", 0x1234, 5).encode());
    assertEquals(at("1.2.3.4", 0x1234, 5), CppGlooAddress.decode(expected));
  }

  @Test
  void ofIpv6() throws UnknownHostException {
    String ip = "00000000 00000000 00000000 00000001";
    byte[] expected = bytes("0a 00 12 34 00000000" + ip, "ff ff ff ff ff ff ff ff");
    assertArrayEquals(expected, at("::1", 0x1234, -1).encode());
    assertEquals(at("::1", 0x1234, -1), CppGlooAddress.decode(expected));
  }

  /** C++ leaves garbage where it writes nothing. */
  @Test
  void unusedBytesAreIgnored() throws UnknownHostException {
    byte[] blob = at("1.2.3.4", 0x1234, 5).encode();
    Arrays.fill(blob, 8, 128, (byte) 0xcd);
    assertEquals(at("1.2.3.4", 0x1234, 5), CppGlooAddress.decode(blob));
    byte[] six = at("fd00::7", 0x1234, 5).encode();
    Arrays.fill(six, 4, 8, (byte) 0xcd); // flow
    Arrays.fill(six, 24, 128, (byte) 0xcd); // scope, of no use outside a link
    assertEquals(at("fd00::7", 0x1234, 5), CppGlooAddress.decode(six));
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.2, 5, 0, 10.0.0.1, 9, 0",
    "200.0.0.1, 5, 0, 100.0.0.1, 9, 0", // bytes are unsigned
    "127.0.0.1, 255, 0, 127.0.0.1, 256, 0", // 0xff00 as it is stored, against 0x0001
    "127.0.0.1, 513, 0, 127.0.0.1, 512, 0",
    "127.0.0.1, 7, 4, 127.0.0.1, 7, 3",
    "fd00::2, 7, 4, fd00::1, 8, 3",
    "::1, 255, 4, ::1, 256, 3",
  })
  void theGreaterDials(String ip, int port, long number, String other, int otherPort, long theirs)
      throws UnknownHostException {
    CppGlooAddress greater = at(ip, port, number);
    CppGlooAddress smaller = at(other, otherPort, theirs);
    assertTrue(CppGlooAddress.connects(greater, smaller));
    assertEquals(false, CppGlooAddress.connects(smaller, greater));
  }

  @Test
  void equalOrUnrelatedAddressesCannotConnect() throws UnknownHostException {
    CppGlooAddress one = at("127.0.0.1", 7, 4);
    assertThrows(
        ProtocolException.class, () -> CppGlooAddress.connects(one, at("127.0.0.1", 7, 4)));
    ProtocolException families =
        assertThrows(ProtocolException.class, () -> CppGlooAddress.connects(one, at("::1", 7, 4)));
    assertTrue(families.getMessage().contains("IPv6"), families.getMessage());
  }

  @Test
  void numbersStandBehindTheAddressOfTheDevice() throws UnknownHostException {
    ByteBuffer payload = ByteBuffer.allocate(136 + 3 * 8).order(ByteOrder.LITTLE_ENDIAN);
    payload.put(at("1.2.3.4", 7, -1).encode()).putLong(10).putLong(11).putLong(12);
    assertEquals(at("1.2.3.4", 7, 12), CppGlooAddress.ofPair(Wire.GLOO, payload.array(), 0, 2, 3));
    byte[] bare = Arrays.copyOf(payload.array(), 136);
    assertEquals(at("1.2.3.4", 7, -1), CppGlooAddress.ofPair(Wire.GLOO, bare, 0, 2, 3));
    ProtocolException size =
        assertThrows(
            ProtocolException.class,
            () -> CppGlooAddress.ofPair(Wire.GLOO, payload.array(), 0, 2, 4));
    assertTrue(size.getMessage().contains("160"), size.getMessage());
  }

  @Test
  void classicHasAnAddressForEachOtherRank() throws UnknownHostException {
    ByteBuffer payload = ByteBuffer.allocate(2 * 136);
    payload.put(at("1.2.3.4", 7, -1).encode()).put(at("1.2.3.4", 8, -1).encode());
    Wire classic = Wire.GLOO_CLASSIC;
    assertEquals(7, CppGlooAddress.ofPair(classic, payload.array(), 1, 0, 3).listener().getPort());
    assertEquals(8, CppGlooAddress.ofPair(classic, payload.array(), 1, 2, 3).listener().getPort());
    assertThrows(
        ProtocolException.class, () -> CppGlooAddress.ofPair(classic, payload.array(), 1, 2, 4));
  }
}
