package io.jgloo.transport.ibverbs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Area;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.Rank;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.Request;
import io.jgloo.transport.capability.Diagnosis;
import io.jgloo.transport.ibverbs.OneSided.Registration;
import io.jgloo.transport.ibverbs.OneSided.RemoteKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks read and write each other's registered memory; as Gloo's tests of remote keys do. */
@Timeout(60)
abstract class OneSidedContract {

  private final Map<Integer, byte[]> keys = new ConcurrentHashMap<>();

  abstract Ranks ranks(int size);

  static OneSided mesh(Rank rank) {
    return (OneSided) rank.mesh();
  }

  /** Registers memory and gives its key to all ranks. */
  final Registration share(Rank rank, Area area) {
    Registration registration = mesh(rank).register(area.address(), area.length(), area);
    keys.put(rank.rank(), registration.remoteKey().encode());
    rank.meet();
    return registration;
  }

  final RemoteKey key(int rank) {
    return RemoteKey.decode(keys.get(rank));
  }

  static Request part(Rank rank, Area area, long offset, long length) {
    return rank.queue().newRequest().message(0, area.buffer(), offset, length);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void allRanksPutIntoAllRanks(int size) {
    ranks(size)
        .run(
            rank -> {
              int part = 1000;
              Area shared = rank.area((long) size * part);
              share(rank, shared);
              Area own = rank.area(part).fill(rank.rank());
              List<Request> puts = new ArrayList<>();
              for (int peer = 0; peer < size; peer++) {
                if (peer != rank.rank()) {
                  Request put = part(rank, own, 0, part);
                  mesh(rank).put(put, key(peer), (long) rank.rank() * part);
                  puts.add(put);
                }
              }
              rank.complete(puts.toArray(Request[]::new));
              puts.forEach(put -> assertEquals(part, put.transferred()));
              rank.meet();
              for (int peer = 0; peer < size; peer++) {
                if (peer != rank.rank()) {
                  Area expected = rank.area(part).fill(peer);
                  assertArrayEquals(expected.bytes(0, part), shared.bytes(peer * part, part));
                }
              }
              rank.meet();
            });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5000, 5_000_000})
  void bytesThatWerePutCanBeGot(int bytes) {
    ranks(2)
        .run(
            rank -> {
              int peer = 1 - rank.rank();
              Area shared = rank.area(bytes);
              share(rank, shared);
              Area out = rank.area(bytes).fill(10 + rank.rank());
              Area in = rank.area(bytes);
              Request request = part(rank, out, 0, bytes);
              mesh(rank).put(request, key(peer), 0);
              rank.complete(request);
              assertEquals(peer, request.peer());
              request = part(rank, in, 0, bytes);
              mesh(rank).get(request, key(peer), 0);
              rank.complete(request);
              in.check(10 + rank.rank());
              rank.meet();
              shared.check(10 + peer);
              rank.meet();
            });
  }

  @Test
  void mistakesAreRefused() {
    ranks(2)
        .run(
            rank -> {
              Area shared = rank.area(100);
              Registration own = share(rank, shared);
              RemoteKey key = key(1 - rank.rank());
              OneSided mesh = mesh(rank);
              Area area = rank.area(100);
              Request request = part(rank, area, 0, 50);
              for (long bad : new long[] {-1, 51, 100, Long.MAX_VALUE}) {
                assertThrows(IllegalArgumentException.class, () -> mesh.put(request, key, bad));
                assertThrows(IllegalArgumentException.class, () -> mesh.get(request, key, bad));
              }
              assertThrows(
                  IllegalArgumentException.class, () -> mesh.put(request, own.remoteKey(), 0));
              assertThrows(
                  IllegalArgumentException.class, () -> mesh.register(shared.address(), 5, null));
              assertThrows(IllegalArgumentException.class, () -> mesh.register(64, 0, null));
              assertThrows(
                  IllegalStateException.class, () -> mesh.put(rank.queue().newRequest(), key, 0));
              assertThrows(ProtocolException.class, () -> RemoteKey.decode(new byte[28]));
              assertThrows(ProtocolException.class, () -> RemoteKey.decode(new byte[3]));
              assertEquals(Request.State.IDLE, request.state());
              rank.meet();
            });
  }

  /** Memory that has been given back cannot be reached, and the mesh says who refused. */
  @Test
  void aKeyEndsWithItsRegistration() {
    ranks(2)
        .run(
            rank -> {
              Area shared = rank.area(100).fill(1);
              Registration registration = share(rank, shared);
              if (rank.rank() == 1) {
                registration.close();
                registration.close();
                rank.meet();
                rank.fails(JGlooException.class, rank.recv(0, 9, rank.area(1)));
                shared.check(1);
              } else {
                rank.meet();
                Request put = part(rank, rank.area(100), 0, 100);
                mesh(rank).put(put, key(1), 0);
                String keys = rank.fails(JGlooException.class, put).getMessage();
                assertTrue(keys.contains("status 10") || keys.contains("event 3"), keys);
              }
            });
  }

  /** However often a buffer moves within registered memory, nothing is copied. */
  @Test
  void registeredMemoryIsSentFromAndReceivedInto() {
    ranks(2)
        .run(
            rank -> {
              Area area = rank.area(1_000_000).fill(rank.rank());
              share(rank, area);
              for (int i = 0; i < 3; i++) {
                area.buffer().wrap(area.address(), area.length(), area);
                rank.complete(rank.rank() == 0 ? rank.send(1, 1, area) : rank.recv(0, 1, area));
              }
              area.check(0);
              assertEquals(0, Diagnosis.of(rank.mesh()).counters().get("bytesCopied"));
              rank.meet();
            });
  }
}
