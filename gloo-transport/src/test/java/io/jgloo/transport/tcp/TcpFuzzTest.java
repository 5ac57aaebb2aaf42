package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.transport.Address;
import io.jgloo.transport.FuzzContract;
import io.jgloo.transport.FuzzTarget;
import io.jgloo.transport.MismatchException;
import io.jgloo.transport.OperationTimeoutException;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.cppgloo.CppGlooAddress;
import io.jgloo.transport.tcp.connect.BlockerSearch;
import io.jgloo.transport.tcp.connect.Endpoint;
import io.jgloo.transport.tcp.wire.AbortNotice;
import io.jgloo.transport.tcp.wire.Confirmation;
import io.jgloo.transport.tcp.wire.Hello;
import io.jgloo.transport.tcp.wire.Welcome;
import io.jgloo.transport.tcp.wire.WireVersion;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** What a TCP device decodes before it trusts a peer, and addresses, for any bytes. */
final class TcpFuzzTest extends FuzzContract {

  private static final UUID SOURCE = new UUID(1, 2);
  private static final UUID TARGET = new UUID(3, 4);

  private static final InetSocketAddress LISTENER =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711);

  private static final int SIZE = 5;

  @Override
  protected List<FuzzTarget> targets() {
    return List.of(
        target("hello", hello(), TcpFuzzTest::hello),
        target(
            "welcome",
            new Welcome(Welcome.Status.ACCEPTED, SIZE, 4096, 7).encode(),
            input -> Welcome.decode(Arrays.copyOf(input, Welcome.BYTES))),
        new FuzzTarget("abort-notice", ProtocolException.class, notices(), TcpFuzzTest::notice),
        target("awaited-ranks", new byte[8], input -> BlockerSearch.decodeRanks(input, SIZE)),
        target("confirmation", Confirmation.encode(true), TcpFuzzTest::confirmation),
        target("endpoint", new Endpoint(SOURCE, LISTENER).encode(), TcpFuzzTest::endpoint),
        target("address", withPayload(new byte[20]).encode(), TcpFuzzTest::address),
        target(
            "gloo-address",
            new CppGlooAddress(LISTENER, 9).encode(),
            input -> CppGlooAddress.decode(Arrays.copyOf(input, CppGlooAddress.BYTES))));
  }

  private static FuzzTarget target(String name, byte[] sample, FuzzTarget.Body body) {
    return FuzzTarget.of(name, ProtocolException.class, sample, body);
  }

  private static byte[] hello() {
    return new Hello(Hello.Purpose.JOIN, 0, TARGET, SOURCE, 1, SIZE, 0, 7, 8, 4096, 0, 0).encode();
  }

  private static void hello(byte[] input) {
    byte[] bytes = Arrays.copyOf(input, Hello.BYTES);
    Hello hello = Hello.decode(bytes);
    byte[] release = WireBytes.release(WireVersion.RELEASE); // any is accepted
    System.arraycopy(release, 0, bytes, Long.BYTES, release.length);
    assertArrayEquals(bytes, hello.encode());
  }

  private static List<byte[]> notices() {
    MismatchException.Side side = new MismatchException.Side(1, 2, 3, 4, 5);
    return List.of(
        AbortNotice.encode(1, new PeerLostException(2, "closed", null)),
        AbortNotice.encode(1, new OperationTimeoutException("late", List.of(0, 3))),
        AbortNotice.encode(1, new MismatchException("differ", side, side)));
  }

  private static void notice(byte[] input) {
    AbortNotice.decode(input, 0, SIZE);
  }

  private static void confirmation(byte[] input) {
    Confirmation.decode(Arrays.copyOf(input, Confirmation.encode(true).length), true);
  }

  private static Address withPayload(byte[] payload) {
    return new Address(Endpoint.DEVICE, "host", "text", payload);
  }

  private static void endpoint(byte[] input) {
    Endpoint.decode(withPayload(input));
  }

  private static void address(byte[] input) {
    Address address = Address.decode(input);
    assertEquals(address, Address.decode(address.encode()));
  }
}
