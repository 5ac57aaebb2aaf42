package io.jgloo.transport.tcp;

import io.jgloo.transport.Address;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Wire;
import io.jgloo.transport.cppgloo.CppGlooAddress;
import io.jgloo.transport.tcp.connect.Endpoint;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A process that may have few open files, runs out of them, and goes on when some are closed. */
final class FewFilesMain {

  private static final Duration SHORT = Duration.ofMillis(500);
  private static final Duration LONG = Duration.ofSeconds(20);

  private FewFilesMain() {}

  /** Arguments: what to do, and the attributes of the device as name=value. */
  public static void main(String[] arguments) throws Exception {
    DeviceOptions options = DeviceOptions.DEFAULTS;
    for (int i = 1; i < arguments.length; i++) {
      String[] pair = arguments[i].split("=", 2);
      options = options.with(pair[0], pair[1]);
    }
    switch (arguments[0]) {
      case "dial" -> dial(options);
      case "accept" -> accept(options);
      case "open" -> open(options);
      case "many" -> many(options);
      default -> throw new IllegalArgumentException(arguments[0]);
    }
    System.out.println("end");
  }

  /** Opens files until the process may have no more. */
  private static List<Closeable> exhaust() {
    List<Closeable> all = new ArrayList<>();
    while (true) {
      try {
        all.add(new FileInputStream("/dev/null"));
      } catch (IOException e) {
        return all;
      }
    }
  }

  private static void close(List<Closeable> all) throws IOException {
    for (Closeable each : all) {
      each.close();
    }
  }

  private static Mesh mesh(Device device, String group, int rank) {
    return device.newMesh(new Membership(group, 0, rank, 2));
  }

  /** What connecting fails with, or "connected". */
  private static String connect(Mesh mesh, List<Address> addresses, Duration timeout) {
    try {
      mesh.connect(addresses, timeout);
      return "connected";
    } catch (JGlooException e) {
      return e.getClass().getSimpleName() + ": " + e.getMessage();
    }
  }

  private static void report(String when, String what) {
    System.out.println(when + ": " + what);
  }

  /** Rank 1 dials, first without a descriptor to do it with. */
  private static void dial(DeviceOptions options) throws Exception {
    try (Device zero = Devices.open("tcp", options);
        Device one = Devices.open("tcp", options)) {
      List<Mesh> meshes = List.of(mesh(zero, "g", 0), mesh(one, "g", 1));
      List<Address> addresses = meshes.stream().map(Mesh::address).toList();
      report("rehearsal", connect(meshes.get(1), addresses, SHORT)); // loads all classes
      Mesh late = mesh(one, "late", 1);
      List<Closeable> files = exhaust();
      String message = connect(late, List.of(addresses.get(0), late.address()), SHORT);
      close(files);
      report("exhausted", message);
      Thread listening = new Thread(() -> connect(meshes.get(0), addresses, LONG));
      listening.start();
      report("afterwards", connect(meshes.get(1), addresses, LONG));
      listening.join();
    }
  }

  /** Rank 0 is dialled by a socket made before, and cannot accept it at first. */
  private static void accept(DeviceOptions options) throws Exception {
    try (Device device = Devices.open("tcp", options);
        Mesh mesh = mesh(device, "g", 0);
        SocketChannel peer = SocketChannel.open()) {
      boolean classic = device.wire() == Wire.GLOO_CLASSIC;
      Address other = classic ? greater() : other();
      List<Address> addresses = List.of(mesh.address(), other);
      report("rehearsal", connect(mesh, addresses, SHORT));
      InetSocketAddress listener =
          classic
              ? CppGlooAddress.ofPair(device.wire(), mesh.address().payload(), 0, 1, 2).listener()
              : Endpoint.decode(mesh.address()).listener();
      List<Closeable> files = exhaust();
      peer.connect(listener);
      while (((TcpDevice) device).whyNotAccepted().isEmpty()) {
        Thread.onSpinWait();
      }
      report("exhausted", connect(mesh, addresses, SHORT));
      close(files);
      report("afterwards", connect(mesh, addresses, classic ? LONG : SHORT));
    }
  }

  private static Address other() {
    return RoguePeer.address(
        new java.util.UUID(1, 2),
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)); // which never comes
  }

  /** On Gloo's wires the greater address dials. */
  private static Address greater() {
    InetSocketAddress listener = new InetSocketAddress("127.0.0.2", 1);
    byte[] payload =
        CppGlooAddress.payloadOfPair(
            Wire.GLOO_CLASSIC, new CppGlooAddress(listener, CppGlooAddress.NO_SEQUENCE), 1, 0, 2);
    return new Address("tcp", "elsewhere", listener.toString(), payload);
  }

  /** Neither a device nor a mesh can be made, and then they can. */
  private static void open(DeviceOptions options) throws Exception {
    try (Device device = Devices.open("tcp", options)) {
      mesh(device, "rehearsal", 0).close();
      try {
        Devices.open("tcp", options.with("port", "1").with("bind", "192.0.2.99")).close();
      } catch (JGlooException e) {
        report("rehearsal", e.getMessage());
      }
      List<Closeable> files = exhaust();
      for (int free = 0; free < 4; free++) {
        report(free + " files, mesh", refusal(() -> mesh(device, "g", 0)));
        report(free + " files, device", refusal(() -> Devices.open("tcp", options)));
        files.remove(0).close();
      }
      close(files);
      report("afterwards, mesh", refusal(() -> mesh(device, "g", 0)));
      report("afterwards, device", refusal(() -> Devices.open("tcp", options)));
    }
  }

  /** As many ranks of large groups as there are files for, though none has connected yet. */
  private static void many(DeviceOptions options) throws Exception {
    try (Device device = Devices.open("tcp", options);
        Device lazy = Devices.open("tcp", options.with("connecting", "lazy"))) {
      Membership large = new Membership("large", 0, 0, 31);
      List<Mesh> meshes = new ArrayList<>();
      String refusal = "opened";
      while (refusal.startsWith("opened")) {
        refusal = refusal(() -> device.newMesh(large));
        if (refusal.startsWith("opened")) {
          meshes.add(device.newMesh(large));
        }
      }
      report("meshes", "" + meshes.size());
      report("refusal", refusal);
      report("lazy", refusal(() -> lazy.newMesh(large)));
      meshes.get(0).close();
      report("afterwards", refusal(() -> device.newMesh(large)));
    }
  }

  private interface Opening {
    AutoCloseable open();
  }

  private static String refusal(Opening opening) throws Exception {
    try (AutoCloseable opened = opening.open()) {
      return "opened " + opened.getClass().getSimpleName();
    } catch (JGlooException e) {
      return e.getClass().getSimpleName() + ": " + e.getMessage();
    }
  }
}
