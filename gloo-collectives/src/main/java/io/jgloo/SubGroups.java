package io.jgloo;

import io.jgloo.collectives.execution.Dialect;
import io.jgloo.transport.Address;
import io.jgloo.transport.Device;
import io.jgloo.transport.Device.Liveness;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.MismatchException;
import io.jgloo.transport.PeerDepartedException;
import io.jgloo.transport.UnavailableException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;

/**
 * Makes groups of some of a group's ranks. All ranks of the group take part, also those that become
 * members of none, so that all agree on the members. They exchange messages through the group
 * itself, and no store is needed.
 *
 * <p>A sub-group has links of its own, by the device of the group it comes from, and ends with that
 * device.
 */
final class SubGroups {
  private static final Duration CONNECT = Duration.ofSeconds(30);
  private static final Duration PROBE = Duration.ofMillis(500);
  private static final int LONGEST = 1 << 20; // bytes of an address, or of a list of ranks
  private static final byte NO_MEMBER = 0;
  private static final byte MEMBER = 1;
  private static final byte SPLIT = 's';
  private static final byte LIST = 'l';

  private SubGroups() {}

  /** The arguments of one rank: the group of that color, at a place that the key decides. */
  private record Choice(int rank, boolean member, int color, int key) {}

  /** The group of the ranks with the same color, in the order of keys and then of ranks. */
  static Optional<ProcessGroup> split(ProcessGroup parent, Connection of, int color, int key) {
    Device device = device(of);
    if (color < -1) {
      throw new IllegalArgumentException("color must be -1 (in no group) or more, is " + color);
    }
    long round = of.nextSubGroup();
    ByteBuffer own = ByteBuffer.allocate(9);
    own.put(color < 0 ? NO_MEMBER : MEMBER).putInt(color).putInt(key);
    List<byte[]> all = arguments(parent, SPLIT, own.array());
    List<Choice> choices = new ArrayList<>();
    for (int rank = 0; rank < all.size(); rank++) {
      ByteBuffer received = ByteBuffer.wrap(all.get(rank));
      choices.add(new Choice(rank, received.get() == MEMBER, received.getInt(), received.getInt()));
    }
    List<Integer> members =
        choices.stream()
            .filter(choice -> choice.member() && choice.color() == color)
            .sorted(Comparator.comparingInt(Choice::key).thenComparingInt(Choice::rank))
            .map(Choice::rank)
            .toList();
    String name = parent.name() + "/" + round + ":" + color;
    return meet(parent, of, device, color < 0 ? List.of() : members, name);
  }

  /** The group of these ranks, in this order; the same list at all ranks. */
  static Optional<ProcessGroup> of(ProcessGroup parent, Connection of, int... ranks) {
    Device device = device(of);
    List<Integer> members = members(parent.size(), ranks);
    long round = of.nextSubGroup();
    List<byte[]> all = arguments(parent, LIST, encoded(ranks));
    for (int rank = 0; rank < all.size(); rank++) {
      if (!Arrays.equals(all.get(rank), encoded(ranks))) {
        throw new IllegalArgumentException(
            String.format(
                "ranks must be the same list at all ranks; rank %d says %s, this one %s",
                rank, Arrays.toString(decoded(all.get(rank))), members));
      }
    }
    boolean member = members.contains(parent.rank());
    return meet(parent, of, device, member ? members : List.of(), parent.name() + "/" + round);
  }

  private static List<Integer> members(int size, int... ranks) {
    List<Integer> members = IntStream.of(Arguments.present("ranks", ranks)).boxed().toList();
    members.forEach(rank -> Arguments.rank("ranks", rank, size));
    if (members.isEmpty() || members.stream().distinct().count() < members.size()) {
      throw new IllegalArgumentException("ranks must be one or more, each once, are " + members);
    }
    return members;
  }

  private static Device device(Connection of) {
    if (of.mesh().wire().isGloo()) {
      throw new UnsupportedOperationException(
          "a group on the wire "
              + of.mesh().wire()
              + " makes no others; connect one to its ranks by a store of its own");
    }
    return of.device()
        .orElseThrow(
            () ->
                new UnsupportedOperationException(
                    "a group over a mesh of the caller's does not know a device to make others"));
  }

  /**
   * Sends all ranks the address of this one in the new group, and connects to its members.
   *
   * @param members none if this rank is not one of them
   */
  private static Optional<ProcessGroup> meet(
      ProcessGroup parent, Connection of, Device device, List<Integer> members, String name) {
    int own = members.indexOf(parent.rank());
    Mesh mesh = null;
    JGlooException failure = null;
    if (own >= 0) {
      try {
        mesh = device.newMesh(new Membership(name, parent.epoch(), own, members.size()));
      } catch (JGlooException e) {
        failure = e; // thrown when the other ranks have received an empty address
      }
    }
    boolean done = false;
    try {
      byte[] address = mesh == null ? new byte[0] : mesh.address().encode();
      List<byte[]> all = exchange(parent, address);
      if (failure != null) {
        throw failure;
      }
      if (mesh == null) {
        return Optional.empty();
      }
      List<Address> addresses = addresses(name, members, all);
      connect(of, mesh, members, addresses);
      done = true;
      Connection connection =
          new Connection(mesh, device, of.timeout(), List.of(), of.costs(), Dialect.own());
      connection.from(new Connection.Origin(of.store(), addresses)).ranks(of.ranksOf(members));
      connection.dumpTo(of.dumpDirectory());
      return Optional.of(new ProcessGroup(connection, CallOptions.DEFAULTS));
    } finally {
      if (!done && mesh != null) {
        mesh.close();
      }
    }
  }

  /**
   * Connects in a thread of its own, while this one makes progress for the parent: a rank that is
   * lost, fails the parent, or leaves it without having connected, ends the wait at all ranks.
   */
  private static void connect(
      Connection of, Mesh mesh, List<Integer> members, List<Address> addresses) {
    Duration timeout = longer(of.timeout(), CONNECT);
    CompletableFuture<Void> connecting = new CompletableFuture<>();
    Runnable body =
        () -> {
          try {
            mesh.connect(addresses, timeout);
            connecting.complete(null);
          } catch (Throwable e) {
            connecting.completeExceptionally(e);
          } finally {
            of.executor().wakeup();
          }
        };
    Thread thread = new Thread(body, "gloo-connect-" + mesh.membership().group());
    thread.setDaemon(true);
    thread.start();
    while (!connecting.isDone()) {
      long start = mesh.clock().nanoTime();
      of.executor()
          .await(
              () ->
                  connecting.isDone()
                      || (mesh.clock().nanoTime() - start > PROBE.toNanos()
                          && members.stream().anyMatch(rank -> hasLeft(of, rank))));
      if (!connecting.isDone()) {
        checkPresent(of, mesh, members, addresses);
      }
    }
    try {
      connecting.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException thrown) {
        throw thrown;
      }
      throw e;
    }
  }

  private static boolean hasLeft(Connection of, int rank) {
    return rank != of.mesh().membership().rank() && of.mesh().pair(rank).hasDeparted();
  }

  /** A rank may leave the parent as soon as it has connected. */
  private static void checkPresent(
      Connection of, Mesh mesh, List<Integer> members, List<Address> addresses) {
    Device device = of.device().orElseThrow();
    for (int member = 0; member < members.size(); member++) {
      int rank = members.get(member);
      if (hasLeft(of, rank) && device.liveness(addresses.get(member), PROBE) == Liveness.GONE) {
        String group = of.mesh().membership().group();
        throw new PeerDepartedException(
            rank,
            "peer " + rank + " has left group " + group + " while " + mesh + " was connected");
      }
    }
  }

  private static List<Address> addresses(String name, List<Integer> members, List<byte[]> all) {
    List<Address> addresses = new ArrayList<>();
    for (int member : members) {
      if (all.get(member).length == 0) {
        throw new UnavailableException(
            "rank " + member + " could not make its part of the group " + name);
      }
      addresses.add(Address.decode(all.get(member)));
    }
    return addresses;
  }

  /**
   * The arguments of every rank, by rank.
   *
   * @throws MismatchException at all ranks if some have made the other call
   */
  private static List<byte[]> arguments(ProcessGroup parent, byte call, byte[] own) {
    byte[] tagged = new byte[1 + own.length];
    tagged[0] = call;
    System.arraycopy(own, 0, tagged, 1, own.length);
    List<byte[]> all = exchange(parent, tagged);
    for (int rank = 1; rank < all.size(); rank++) {
      if (all.get(rank)[0] != all.get(0)[0]) {
        throw new MismatchException(
            "rank 0 called "
                + name(all.get(0))
                + ", rank "
                + rank
                + " called "
                + name(all.get(rank)),
            side(0, all.get(0)),
            side(rank, all.get(rank)));
      }
    }
    return all.stream().map(each -> Arrays.copyOfRange(each, 1, each.length)).toList();
  }

  private static String name(byte[] tagged) {
    return tagged[0] == SPLIT ? "split" : "newGroup";
  }

  private static MismatchException.Side side(int rank, byte[] tagged) {
    return new MismatchException.Side(rank, -1, tagged.length, tagged[0], 0);
  }

  /** The bytes of every rank, by rank. */
  private static List<byte[]> exchange(ProcessGroup parent, byte[] own) {
    return parent.allgatherObject(own, ObjectCodec.BYTES, LONGEST);
  }

  private static byte[] encoded(int... ranks) {
    ByteBuffer out = ByteBuffer.allocate(Integer.BYTES * ranks.length);
    out.asIntBuffer().put(ranks);
    return out.array();
  }

  private static int[] decoded(byte[] encoded) {
    int[] ranks = new int[encoded.length / Integer.BYTES];
    ByteBuffer.wrap(encoded).asIntBuffer().get(ranks);
    return ranks;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
