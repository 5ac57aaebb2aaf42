package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.Address;
import io.jgloo.transport.Wire;
import io.jgloo.transport.cppgloo.CppGlooAddress;
import io.jgloo.transport.tcp.socket.Link;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Current Gloo: the device's listener, and a number by which it tells its pairs apart.
 *
 * <p>Addresses decide who dials ({@link CppGlooAddress#connects}); the dialling side writes the
 * number the other side expects, eight bytes, and gets no answer. With attribute {@code
 * connecting=lazy} the number is the dialler's rank, so a device can serve one mesh at a time.
 */
public final class CppGlooHandshake extends Handshake {

  private final long[] numbers;
  private final boolean numbered;
  private final long[] toPresent;

  CppGlooHandshake(ConnectMesh mesh, ConnectDevice device) {
    super(mesh, device);
    numbered = !mesh.settings().rankAsSequence();
    numbers = device.pairNumbers().take(mesh, numbered);
    toPresent = new long[mesh.size()];
  }

  @Override
  public Address address() {
    CppGlooAddress listener = new CppGlooAddress(device.listener(), CppGlooAddress.NO_SEQUENCE);
    ByteBuffer payload =
        ByteBuffer.allocate(CppGlooAddress.BYTES + (numbered ? Long.BYTES * numbers.length : 0));
    payload.put(listener.encode()).order(ByteOrder.nativeOrder());
    if (numbered) {
      for (long number : numbers) {
        payload.putLong(number);
      }
    }
    return device.addressOf(payload.array());
  }

  @Override
  Endpoint endpoint(int peer, Address address) {
    CppGlooAddress theirs =
        CppGlooAddress.ofPair(Wire.GLOO, address.payload(), peer, mesh.rank(), mesh.size());
    toPresent[peer] = numbered ? theirs.sequence() : mesh.rank();
    return Endpoint.ofForeigner(new CppGlooAddress(theirs.listener(), toPresent[peer]));
  }

  @Override
  boolean dials(int peer, Endpoint endpoint) {
    return CppGlooAddress.connects(
        new CppGlooAddress(device.listener(), numbers[peer]),
        new CppGlooAddress(endpoint.listener(), toPresent[peer]));
  }

  @Override
  ControlConnection newAttempt(ControlLoop loop, Link link, Dial dial, long deadlineNanos) {
    byte[] number =
        ByteBuffer.allocate(Long.BYTES)
            .order(ByteOrder.nativeOrder())
            .putLong(toPresent[dial.peer()])
            .array();
    return new CppGlooConnectAttempt(loop, link, dial, deadlineNanos, number);
  }

  @Override
  public void close() {
    device.pairNumbers().giveBack(numbers);
  }
}
