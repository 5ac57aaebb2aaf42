package io.jgloo.transport.tcp;

import io.jgloo.transport.Buffer;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.Device;
import io.jgloo.transport.Devices;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.memory.Memory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Ends a process in one of several ways while its two ranks are connected and a thread waits. */
final class ProcessEndMain {

  private ProcessEndMain() {}

  /** Argument: how the process ends. */
  public static void main(String[] arguments) throws Exception {
    List<Device> devices = new ArrayList<>();
    List<Mesh> meshes = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      devices.add(Devices.open("tcp", Loopback.OPTIONS.with("heartbeat", 10)));
      meshes.add(devices.get(rank).newMesh(new Membership("end", 0, rank, 2)));
    }
    Thread second = new Thread(() -> connect(meshes, 1));
    second.start();
    connect(meshes, 0);
    second.join();
    Thread waiting = new Thread(() -> waitForNothing(meshes.get(0)));
    waiting.setDaemon(true);
    waiting.start();
    switch (arguments[0]) {
      case "return" -> {
        // Only daemon threads are left.
      }
      case "exit-while-waiting" -> new Thread(() -> System.exit(0)).start();
      case "hook-closes" -> {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> devices.forEach(Device::close)));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> meshes.forEach(Mesh::close)));
        System.exit(0);
      }
      default -> throw new IllegalArgumentException(arguments[0]);
    }
    if (arguments[0].equals("exit-while-waiting")) {
      waitForNothing(meshes.get(1));
    }
  }

  private static void connect(List<Mesh> meshes, int rank) {
    meshes.get(rank).connect(meshes.stream().map(Mesh::address).toList(), Duration.ofSeconds(40));
  }

  private static void waitForNothing(Mesh mesh) {
    CompletionQueue queue = mesh.newQueue();
    Buffer buffer = mesh.newBuffer().wrap(Memory.allocate(64, 64), 64, null);
    mesh.pair(1 - mesh.membership().rank()).recv(queue.newRequest().message(1, buffer, 0, 64));
    while (queue.poll() == null) {
      queue.await(mesh.clock().nanoTime() + 1_000_000_000L);
    }
  }
}
