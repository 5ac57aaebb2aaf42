package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.AbortedException;
import io.jgloo.transport.Address;
import io.jgloo.transport.Area;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Pair;
import io.jgloo.transport.PeerDepartedException;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.Rank;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.Request;
import io.jgloo.transport.engine.EnginePair;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How pairs of a lazy mesh are connected, or fail. */
@Timeout(60)
class OnDemandTest {

  private static final Duration SHORT = Duration.ofMillis(300);

  private static Ranks ranks(int size) {
    return Loopback.ranks(size, TcpLazyDeviceTest.LAZY);
  }

  private static List<Integer> connected(Rank rank) {
    TcpMesh mesh = (TcpMesh) rank.mesh();
    List<Integer> peers = new ArrayList<>();
    mesh.lock();
    try {
      for (int peer = 0; peer < rank.size(); peer++) {
        if (peer != rank.rank() && mesh.streamAt(peer).link() != null) {
          peers.add(peer);
        }
      }
    } finally {
      mesh.unlock();
    }
    return peers;
  }

  /** Either end may post first, whichever of them dials; no other pair is connected. */
  @ParameterizedTest(name = "rank {0} begins")
  @ValueSource(ints = {0, 2})
  void aPairIsConnectedWhenItIsFirstUsed(int first) {
    ranks(4)
        .run(
            rank -> {
              assertEquals(List.of(), connected(rank));
              rank.meet();
              if (rank.rank() == first) {
                rank.send(2 - first, 1, rank.area(3).fill(7));
              } else if (rank.rank() == 2 - first) {
                rank.until("the other has connected", () -> !connected(rank).isEmpty());
                Area area = rank.area(3);
                rank.complete(rank.recv(first, 1, area));
                assertArrayEquals(rank.area(3).fill(7).bytes(0, 3), area.bytes(0, 3));
                assertEquals(List.of(first), connected(rank));
              }
              rank.meet();
              if (rank.rank() % 2 == 1) {
                assertEquals(List.of(), connected(rank));
              }
            });
  }

  @Test
  void bothEndsMayBeginAtOnce() {
    for (int round = 0; round < 6; round++) {
      ranks(5)
          .run(
              rank -> {
                Area area = rank.area(8).fill(rank.rank());
                List<Request> all = new ArrayList<>();
                for (int peer = 0; peer < rank.size(); peer++) {
                  if (peer != rank.rank()) {
                    all.add(rank.send(peer, 1, area));
                    all.add(rank.recv(peer, 1, rank.area(8)));
                  }
                }
                rank.complete(all.toArray(Request[]::new));
              });
    }
  }

  /** The rank that listens and the rank that dials find out in different ways. */
  @ParameterizedTest(name = "rank {0} listens")
  @ValueSource(ints = {0, 2})
  void receiveFromAny_isServedThoughARankOfTheSetLeftBeforeItWasConnected(int listener) {
    int leaver = 2 - listener;
    ranks(3)
        .run(
            rank -> {
              if (rank.rank() == leaver) {
                rank.mesh().close();
              }
              rank.meet();
              if (rank.rank() == listener) {
                Request any = rank.request(1, rank.area(1));
                BitSet set = new BitSet();
                set.set(1);
                set.set(leaver);
                rank.mesh().recvAny(any, set);
                Pair gone = rank.mesh().pair(leaver);
                rank.until("the leaver is missed", () -> ((EnginePair) gone).hasDeparted());
                rank.meet();
                rank.complete(any);
                assertEquals(1, any.peer());
              } else {
                rank.meet();
                if (rank.rank() == 1) {
                  rank.complete(rank.send(listener, 1, rank.area(1)));
                }
              }
              rank.meet();
            });
  }

  @Test
  void aReceiveFromAnyConnectsThoseItListensTo() {
    ranks(4)
        .run(
            rank -> {
              Request any = rank.request(1, rank.area(1));
              if (rank.rank() == 1) {
                BitSet set = new BitSet();
                set.set(0);
                set.set(3);
                rank.mesh().recvAny(any, set);
                rank.until("both are connected", () -> connected(rank).equals(List.of(0, 3)));
              }
              rank.meet();
              if (rank.rank() == 3) {
                rank.send(1, 1, rank.area(1));
              } else if (rank.rank() == 1) {
                assertEquals(3, rank.end(any).peer());
              }
            });
  }

  /** No pair is connected, and yet all ranks are notified. */
  @Test
  void anAbortReachesThoseThatAreNotConnected() {
    ranks(4)
        .run(
            rank -> {
              if (rank.rank() == 2) {
                rank.mesh().abort(new AbortedException(2, "rank 2 has had enough"));
              }
              rank.until("the failure is reported", () -> rank.mesh().failure().isPresent());
              assertTrue(
                  rank.mesh().failure().get().getMessage().contains("has had enough"),
                  () -> rank.mesh().failure().get().toString());
              rank.meet();
            });
  }

  private interface Ending {
    void of(Rank rank);
  }

  /** Rank 0's only message to rank 1, which has ended in some way; the failure that it gets. */
  private static <T extends JGlooException> T tells(Class<T> kind, boolean sends, Ending ending) {
    List<T> heard = new ArrayList<>();
    ranks(2)
        .run(
            rank -> {
              if (rank.rank() == 1) {
                ending.of(rank);
              }
              rank.meet();
              if (rank.rank() == 0) {
                Area area = rank.area(1);
                heard.add(rank.fails(kind, sends ? rank.send(1, 1, area) : rank.recv(1, 1, area)));
              }
            });
    return heard.get(0);
  }

  @ParameterizedTest(name = "by a send: {0}")
  @ValueSource(booleans = {true, false})
  void connectingToADepartedGroup_failsAtOnce(boolean sends) {
    PeerDepartedException failure =
        tells(PeerDepartedException.class, sends, rank -> rank.mesh().close());
    assertEquals(1, failure.peer());
  }

  @ParameterizedTest(name = "by a send: {0}")
  @ValueSource(booleans = {true, false})
  void connectingToAnEndedProcess_failsAtOnce(boolean sends) {
    PeerLostException failure =
        tells(PeerLostException.class, sends, rank -> rank.device().close());
    assertEquals(1, failure.peer());
    assertTrue(failure.getMessage().contains("refused"), failure.getMessage());
  }

  /**
   * The abort notice could not be delivered, and a rank that connects later still gets the cause.
   */
  @Test
  void connectingToAFailedGroup_reportsItsCause() {
    List<JGlooException> heard = new ArrayList<>();
    Loopback.ranks(1, TcpLazyDeviceTest.LAZY)
        .runUnconnected(
            rank -> {
              Mesh one = rank.device().newMesh(new Membership("late", 0, 1, 2));
              Mesh zero = rank.open().newMesh(new Membership("late", 0, 0, 2));
              one.abort(new AbortedException(1, "before a rank connected"));
              one.close();
              zero.connect(List.of(zero.address(), one.address()), Ranks.PATIENCE);
              Request request = zero.newQueue().newRequest();
              Area area = rank.area(1);
              zero.pair(1)
                  .send(
                      request.message(
                          1, zero.newBuffer().wrap(area.address(), 1, area), 0, area.length()));
              rank.until("the failure is reported", () -> zero.failure().isPresent());
              heard.add(zero.failure().get());
              zero.close();
            });
    assertEquals(1, ((AbortedException) heard.get(0)).origin());
    assertTrue(heard.get(0).getMessage().contains("before a rank connected"));
  }

  /** A rank that has no addresses of its peers yet is asked again. */
  @Test
  void aRankThatDoesNotKnowItsPeersYetIsSummonedAgain() {
    ranks(2)
        .runUnconnected(
            rank -> {
              Mesh mesh = rank.newMesh("summons");
              List<Address> addresses = rank.addresses("summons");
              Request request = mesh.newQueue().newRequest();
              Area area = rank.area(1);
              request.message(1, mesh.newBuffer().wrap(area.address(), 1, area), 0, 1);
              if (rank.rank() == 0) {
                mesh.connect(addresses, Ranks.PATIENCE);
                mesh.pair(1).send(request);
                rank.until("it was refused", () -> ((TcpMesh) mesh).connectionTable().hasCause(1));
                rank.meet();
              } else {
                rank.meet();
                mesh.connect(addresses, Ranks.PATIENCE);
                mesh.pair(0).recv(request);
              }
              rank.until("it has arrived", request::isDone);
              assertEquals(Request.State.DONE, request.state());
              rank.meet();
              mesh.close();
            });
  }

  /** A process listens there and never answers, or does not dial when it is asked to. */
  @ParameterizedTest(name = "rank {0}")
  @ValueSource(ints = {0, 1})
  void unreachablePeer_isLostWithinTheConnectTimeout(int own) {
    DeviceOptions options = TcpLazyDeviceTest.LAZY.with("hello", 100);
    Loopback.ranks(1, options)
        .runUnconnected(
            rank -> {
              ServerSocket server = RoguePeer.listen();
              Mesh mesh = rank.device().newMesh(new Membership("mute", 0, own, 2));
              Address mute =
                  RoguePeer.address(
                      UUID.randomUUID(), (InetSocketAddress) server.getLocalSocketAddress());
              mesh.connect(
                  own == 0 ? List.of(mesh.address(), mute) : List.of(mute, mesh.address()), SHORT);
              Request request = mesh.newQueue().newRequest();
              Area area = rank.area(1);
              request.message(1, mesh.newBuffer().wrap(area.address(), 1, area), 0, 1);
              mesh.pair(1 - own).recv(request);
              rank.until("it has ended", request::isDone);
              PeerLostException lost = (PeerLostException) request.failure();
              assertEquals(1 - own, lost.peer());
              String expected = "peer " + (1 - own) + " could not be connected within 0.3 s";
              assertTrue(lost.getMessage().contains(expected), lost.getMessage());
              mesh.close();
              server.close();
            });
  }

  @Test
  void groupsMustAgree() {
    ranks(2)
        .runUnconnected(
            rank -> {
              Membership membership = new Membership("epochs", rank.rank(), rank.rank(), 2);
              Mesh mesh = rank.device().newMesh(membership);
              rank.publish("epochs", mesh.address());
              mesh.connect(rank.addresses("epochs"), Ranks.PATIENCE);
              if (rank.rank() == 1) {
                Request request = mesh.newQueue().newRequest();
                Area area = rank.area(1);
                request.message(1, mesh.newBuffer().wrap(area.address(), 1, area), 0, 1);
                mesh.pair(0).send(request);
                rank.until("it has ended", request::isDone);
                assertEquals(ProtocolException.class, request.failure().getClass());
                assertTrue(request.failure().getMessage().contains("epoch"));
              }
              rank.meet();
              mesh.close();
            });
  }

  @Test
  void classicGlooConnectsAllPairsAtOnce() {
    DeviceOptions options = TcpLazyDeviceTest.LAZY.with("wire", "gloo-classic");
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> Devices.open("tcp", options));
    assertTrue(refusal.getMessage().contains("connecting=lazy"), refusal.getMessage());
  }
}
