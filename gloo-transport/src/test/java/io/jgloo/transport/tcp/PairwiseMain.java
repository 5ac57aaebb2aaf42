package io.jgloo.transport.tcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jgloo.transport.Address;
import io.jgloo.transport.Area;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.Device;
import io.jgloo.transport.Device.FailureScope;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Request;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** One rank of a mesh of failure scope pairwise: does what lines of input say, and answers. */
final class PairwiseMain {

  private static final Duration PATIENCE = Duration.ofSeconds(40);
  private static final int BYTES = 200_000;

  private final Mesh mesh;
  private final CompletionQueue queue;

  private PairwiseMain(Mesh mesh) {
    this.mesh = mesh;
    queue = mesh.newQueue();
  }

  /** Arguments: rank, size, attributes of the device as name=value. */
  public static void main(String[] arguments) throws Exception {
    int rank = Integer.parseInt(arguments[0]);
    int size = Integer.parseInt(arguments[1]);
    DeviceOptions options = DeviceOptions.DEFAULTS.with("bind", "127.0.0.1");
    for (int i = 2; i < arguments.length; i++) {
      String[] attribute = arguments[i].split("=", 2);
      options = options.with(attribute[0], attribute[1]);
    }
    try (Device device = Devices.open("tcp", options)) {
      Mesh mesh = device.newMesh(new Membership("pairs", 0, rank, size), FailureScope.PAIRWISE);
      System.out.println(HexFormat.of().formatHex(mesh.address().encode()));
      PairwiseMain main = new PairwiseMain(mesh);
      BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8));
      for (String line = input.readLine(); line != null; line = input.readLine()) {
        System.out.println(main.answer(line.split(" ")));
      }
    }
  }

  private String answer(String[] words) {
    switch (words[0]) {
      case "connect" -> {
        List<Address> addresses = new ArrayList<>();
        for (int i = 1; i < words.length; i++) {
          byte[] bytes = words[i].equals("-") ? null : HexFormat.of().parseHex(words[i]);
          addresses.add(bytes == null ? null : Address.decode(bytes));
        }
        mesh.connect(addresses, PATIENCE);
        return "connected";
      }
      case "exchange" -> {
        for (int i = 1; i < words.length; i++) {
          exchange(Integer.parseInt(words[i]));
        }
        return "exchanged";
      }
      case "route" -> {
        return mesh.pair(Integer.parseInt(words[1])).medium();
      }
      default -> {
        return failure(Integer.parseInt(words[1]));
      }
    }
  }

  /** Sends to a peer and receives from it; checks the bytes. */
  private void exchange(int peer) {
    Area in = new Area(mesh, BYTES, 0);
    Area out = new Area(mesh, BYTES, 0).fill(mesh.membership().rank());
    Request recv = queue.newRequest().message(1, in.buffer(), 0, BYTES);
    Request send = queue.newRequest().message(1, out.buffer(), 0, BYTES);
    mesh.pair(peer).recv(recv);
    mesh.pair(peer).send(send);
    for (Request request : List.of(recv, send)) {
      end(request);
      if (request.state() != Request.State.DONE) {
        throw new AssertionError("exchange with " + peer, request.failure());
      }
    }
    in.check(peer);
  }

  /** What a receive from a peer fails with. */
  private String failure(int peer) {
    Area in = new Area(mesh, 8, 0);
    Request recv = queue.newRequest().message(2, in.buffer(), 0, 8);
    mesh.pair(peer).recv(recv);
    end(recv);
    return String.valueOf(recv.failure());
  }

  private void end(Request request) {
    long deadline = mesh.clock().nanoTime() + PATIENCE.toNanos();
    while (!request.isDone()) {
      if (!queue.await(deadline)) {
        throw new AssertionError("slot " + request.slot() + " is " + request.state());
      }
      while (queue.poll() != null) {
        // The state of the request tells.
      }
    }
  }
}
