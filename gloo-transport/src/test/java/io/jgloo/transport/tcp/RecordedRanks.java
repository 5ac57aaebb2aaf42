package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.transport.Address;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.Request;
import io.jgloo.transport.capability.Diagnosis;
import io.jgloo.transport.cppgloo.CppGlooAddress;
import io.jgloo.transport.memory.Memory;
import io.jgloo.transport.tcp.wire.WireVersion;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Two ranks whose connections lead through a recording proxy, driven by one thread.
 *
 * <p>After each action all bytes that were written have been read by the other rank, so the order
 * of frames follows from the program alone. Rank 1 listens on the greater address and therefore
 * dials on every wire.
 *
 * <p><i>Owns</i>: both devices, the proxy and the memory of all messages.
 */
final class RecordedRanks implements AutoCloseable {

  private static final int INCARNATION_BYTES = 16;
  private static final int STRIPE_OFFSET = 76;
  private static final long LOOK_NANOS = 50_000;
  private static final int HANDSHAKE_BYTES = WireBytes.HELLO_BYTES + WireBytes.CONFIRMATION_BYTES;

  private static final String OWN_WIRE = "jgloo";

  private final String wire;
  private final Device[] devices = new Device[2];
  private final FaultProxy proxy = FaultProxy.recording();
  private final List<String> text = new ArrayList<>();
  private final List<Long> memory = new ArrayList<>();
  private final Mesh[] meshes = new Mesh[2];
  private final CompletionQueue[] queues = new CompletionQueue[2];
  private final List<Connection> connections = new ArrayList<>();
  private int connectionsBefore;
  private boolean collecting;

  /** A recorded connection and the texts of what rank 0 and rank 1 send by it. */
  private record Connection(Wire wire, WireText zero, WireText one) {

    Pipe from(int rank) {
      return rank == 0 ? wire.toDialler() : wire.toListener();
    }

    WireText of(int rank) {
      return rank == 0 ? zero : one;
    }
  }

  RecordedRanks(DeviceOptions options) {
    wire = options.get("wire", OWN_WIRE);
    text.add(
        "# What two ranks send each other, a frame a line. WireRecordingTest says how to record"
            + " it.");
    text.add(
        "# Fields are hexadecimal, in their order on the wire; a payload has a line of its own.");
    devices[0] = Devices.open("tcp", options.with("bind", "127.0.0.1"));
    devices[1] = Devices.open("tcp", options.with("bind", "127.0.0.2"));
  }

  /** The recording so far, a frame a line. */
  String text() {
    return String.join("\n", text) + "\n";
  }

  // Connecting and the end.

  /** Makes and connects new meshes of both ranks. */
  void connect(String group) throws Exception {
    text.add("");
    text.add("# " + group + ": handshake");
    connectionsBefore = proxy.wires().size();
    for (int rank = 0; rank < 2; rank++) {
      meshes[rank] = devices[rank].newMesh(new Membership(group, 7, rank, 2));
      queues[rank] = meshes[rank].newQueue();
    }
    List<Address> real = List.of(meshes[0].address(), meshes[1].address());
    List<Address> proxied = List.of(throughProxy(real.get(0)), real.get(1));
    CompletableFuture<Void> listening =
        CompletableFuture.runAsync(() -> meshes[0].connect(real, Ranks.PATIENCE));
    meshes[1].connect(proxied, Ranks.PATIENCE);
    listening.get(Ranks.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    findConnections();
    for (Connection connection : connections) {
      connection.one().drawHandshake(connection.from(1).recorded());
      connection.zero().drawHandshake(connection.from(0).recorded());
    }
    for (int rank = 0; wire.equals(OWN_WIRE) && rank < 2; rank++) {
      String incarnation = HexFormat.of().formatHex(real.get(rank).payload(), 0, INCARNATION_BYTES);
      String name = "[incarnation of rank " + rank + "]";
      text.replaceAll(line -> line.replace(incarnation, name));
    }
    String release = HexFormat.of().formatHex(WireBytes.release(WireVersion.RELEASE));
    text.replaceAll(line -> line.replace(release, "[release]"));
  }

  private Address throughProxy(Address address) {
    if (wire.equals(OWN_WIRE)) {
      return proxy.before(address);
    }
    byte[] payload = address.payload();
    // Both of Gloo's wires put the listener first.
    CppGlooAddress real = CppGlooAddress.decode(Arrays.copyOf(payload, CppGlooAddress.BYTES));
    InetSocketAddress own = proxy.before(real.listener());
    byte[] encoded = new CppGlooAddress(own, real.sequence()).encode();
    System.arraycopy(encoded, 0, payload, 0, encoded.length);
    return new Address(address.device(), address.host(), "proxy of " + real, payload);
  }

  /**
   * Between JGloo ranks an attempt that came too early is answered "not yet", and the rank begins
   * again with the first connection: the last of each number are those in use.
   */
  private void findConnections() {
    connections.clear();
    // On wires without a handshake both ranks may be earlier.
    until("a connection is made", () -> proxy.wires().size() > connectionsBefore);
    List<Wire> made = new ArrayList<>(proxy.wires());
    made.subList(0, connectionsBefore).clear();
    if (wire.equals(OWN_WIRE)) {
      made.removeIf(each -> each.toListener().recorded().length < HANDSHAKE_BYTES);
      Map<Integer, Wire> inUse = new TreeMap<>();
      made.forEach(each -> inUse.put(stripe(each), each));
      made = List.copyOf(inUse.values());
    }
    for (Wire each : made) {
      int number = connections.size();
      String by = number == 0 ? "" : " (connection " + number + ")";
      connections.add(
          new Connection(
              each,
              new WireText(layout(0, number), "0>1" + by + " ", text::add),
              new WireText(layout(1, number), "1>0" + by + " ", text::add)));
    }
  }

  private static int stripe(Wire each) {
    return ByteBuffer.wrap(each.toListener().recorded()).getInt(STRIPE_OFFSET);
  }

  private WireText.Layout layout(int rank, int number) {
    boolean dials = rank == 1;
    return switch (wire) {
      case "gloo" -> dials ? WireText.Layout.GLOO_DIALLER : WireText.Layout.GLOO_LISTENER;
      case "gloo-classic" -> WireText.Layout.CLASSIC;
      default ->
          number == 0
              ? dials ? WireText.Layout.DIALLER : WireText.Layout.LISTENER
              : dials ? WireText.Layout.FURTHER_DIALLER : WireText.Layout.FURTHER_LISTENER;
    };
  }

  /** Closes the meshes, the one of this rank first, and draws how the connections end. */
  void close(int first) {
    meshes[first].close();
    if (meshes[1 - first].failure().isEmpty()) {
      settle();
    }
    meshes[1 - first].close();
    for (Connection each : connections) {
      until("a connection has ended", () -> each.wire().isGone());
    }
    draw();
    for (Connection each : connections) {
      for (int rank = 0; rank < 2; rank++) {
        text.add(rank + ">" + (1 - rank) + (each.from(rank).hasEnded() ? " end" : " reset"));
      }
    }
  }

  Mesh mesh(int rank) {
    return meshes[rank];
  }

  // Messages.

  /** Ends the step before: draws the frames it has sent. */
  void step(String title) {
    settle();
    draw();
    text.add("");
    text.add("# " + title);
  }

  /** A message in memory of its own, which holds bytes that follow from slot and length. */
  Request message(int rank, long slot, int length) {
    long address = Memory.allocate(Math.max(1, length), Memory.CACHE_LINE);
    memory.add(address);
    Memory.copy(pattern(slot, length), 0, address, length);
    return queues[rank]
        .newRequest()
        .message(slot, meshes[rank].newBuffer().wrap(address, length, null), 0, length);
  }

  /** Memory for a message, zeroed. */
  Request room(int rank, long slot, int length) {
    Request room = message(rank, slot, length);
    Memory.copy(new byte[length], 0, room.address(), length);
    return room;
  }

  Request send(int rank, Request message) {
    meshes[rank].pair(1 - rank).send(message);
    settle();
    return message;
  }

  Request send(int rank, long slot, int length) {
    return send(rank, message(rank, slot, length));
  }

  Request recv(int rank, Request room) {
    meshes[rank].pair(1 - rank).recv(room);
    settle();
    return room;
  }

  Request recv(int rank, long slot, int length) {
    return recv(rank, room(rank, slot, length));
  }

  Request recvAny(int rank, long slot, int length) {
    Request room = room(rank, slot, length);
    BitSet peers = new BitSet();
    peers.set(1 - rank);
    meshes[rank].recvAny(room, peers);
    settle();
    return room;
  }

  boolean cancel(int rank, Request request) {
    boolean cancelled = request.cancel();
    settle();
    return cancelled;
  }

  /** What this rank posts next goes together, at {@link #flush}. */
  void collect(int rank) {
    queues[rank].collect();
    collecting = true;
  }

  void flush(int rank) {
    queues[rank].flush();
    collecting = false;
    settle();
  }

  /** Waits until the requests are done. */
  void done(Request... requests) {
    for (Request request : requests) {
      until("slot " + request.slot() + " has ended", request::isDone);
      assertEquals(Request.State.DONE, request.state(), () -> "" + request.failure());
    }
    settle();
  }

  /** Waits until the receives are done and checks the bytes that their sender has filled in. */
  void received(Request... requests) {
    done(requests);
    for (Request request : requests) {
      byte[] bytes = new byte[(int) request.transferred()];
      Memory.copy(request.address(), bytes, 0, bytes.length);
      assertArrayEquals(pattern(request.slot(), bytes.length), bytes);
    }
  }

  private static byte[] pattern(long slot, int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(slot).nextBytes(bytes);
    return bytes;
  }

  // Moving bytes.

  /** Moves bytes until each rank has read what the other has written. */
  private void settle() {
    if (!collecting) {
      until("all bytes are read", () -> hasRead(0) && hasRead(1));
    }
  }

  private boolean hasRead(int rank) {
    long written = Diagnosis.of(meshes[1 - rank]).counters().get("bytesOut");
    return written == Diagnosis.of(meshes[rank]).counters().get("bytesIn");
  }

  void until(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + Ranks.PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("waited in vain until " + what + "; recorded:\n" + text());
      }
      for (CompletionQueue queue : queues) {
        queue.progress();
        while (queue.poll() != null) {
          // Requests are looked at one by one.
        }
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private void draw() {
    for (int rank = 0; rank < 2; rank++) {
      int elsewhere = 0;
      for (Connection each : connections.subList(1, connections.size())) {
        elsewhere += each.of(rank).newBytes(each.from(rank).recorded());
      }
      for (Connection each : connections) {
        each.of(rank).draw(each.from(rank).recorded(), elsewhere);
      }
    }
  }

  @Override
  public void close() {
    for (Device device : devices) {
      device.close();
    }
    proxy.close();
    memory.forEach(Memory::free);
  }
}
