package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Area;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Rank;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.Request;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Streams of frames that are mostly right, cut at random places: whatever is wrong with them, the
 * mesh ends with a failure of its peer, and never with one of its own.
 */
@Timeout(60)
class FrameFuzzTest {

  private static final int ROUNDS = 60;
  private static final long[] LENGTHS = {0, 1, 7, 8, 100, 4096, 5000, 70_000, 1 << 20};

  /** By slot: what the receives below are long. */
  private static final long[] WANTED = {0, 5000, 4096, 60, 8, 100, 1000};

  private static final int[] OPCODES = {
    WireBytes.EAGER, WireBytes.EAGER, WireBytes.EAGER, WireBytes.EAGER, WireBytes.EAGER,
    WireBytes.EAGER, WireBytes.EAGER, WireBytes.ANNOUNCE, WireBytes.ANNOUNCE, WireBytes.ANNOUNCE,
    WireBytes.GRANT, WireBytes.GRANT, WireBytes.CREDIT, WireBytes.DATA, WireBytes.WITHDRAWN,
    WireBytes.GOODBYE, WireBytes.ABORT
  };

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void theMeshEndsByItsPeer(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Loopback.ranks(1)
        .run(
            rank -> {
              for (int round = 0; round < ROUNDS; round++) {
                try (Victim victim = new Victim(rank);
                    RoguePeer rogue = Victim.invade(victim)) {
                  round(rank, victim, rogue, random);
                }
              }
            });
  }

  private static void round(Rank rank, Victim victim, RoguePeer rogue, SplittableRandom random)
      throws Exception {
    List<Request> requests = post(rank, victim);
    Ranks.Fork talking = talk(rank, rogue, random);
    for (Request request : requests) {
      victim.end(request);
      if (request.state() == Request.State.FAILED) {
        JGlooException failure = request.failure();
        assertFalse(failure.getMessage().contains("reduction"), failure::getMessage);
      }
    }
    assertTrue(victim.mesh().failure().isPresent());
    rogue.end(true); // a mesh that has failed reads no further
    talking.join();
  }

  /** Says a random stream in random pieces and ends it one way or the other. */
  private static Ranks.Fork talk(Rank rank, RoguePeer rogue, SplittableRandom random) {
    byte[] stream = stream(random);
    SplittableRandom own = random.split();
    return rank.fork(
        "rogue",
        self -> {
          for (int at = 0; at < stream.length; ) {
            int end = Math.min(at + own.nextInt(1, 70_000), stream.length);
            rogue.sayIfHeard(Arrays.copyOfRange(stream, at, end));
            at = end;
          }
          rogue.end(own.nextBoolean());
        });
  }

  /** Every way in which a message can be wanted or had, on slots 1 to 6. */
  private static List<Request> post(Rank rank, Victim victim) {
    List<Request> requests = new ArrayList<>();
    requests.add(victim.recv(1, rank.area(5000)));
    requests.add(victim.recv(1, rank.area(5000)));
    requests.add(victim.recv(victim.request(2, rank.area(4096)).reducing(new Sums(Long.BYTES))));
    requests.add(victim.recv(victim.request(2, rank.area(4096)).reducing(new Sums(Long.BYTES))));
    requests.add(victim.recv(victim.request(3, rank.area(100)).allowShorter()));
    Request any = victim.request(4, rank.area(8));
    BitSet peers = new BitSet();
    peers.set(1);
    victim.mesh().recvAny(any, peers);
    requests.add(any);
    requests.add(victim.send(5, rank.area(100)));
    requests.add(victim.send(5, rank.area(1_100_000)));
    requests.add(victim.send(6, rank.area(1_200_000)));
    Area last = rank.area(1);
    requests.add(victim.recv(99, last));
    return requests;
  }

  private static byte[] stream(SplittableRandom random) {
    List<byte[]> parts = new ArrayList<>();
    for (int frames = random.nextInt(1, 30); frames > 0; frames--) {
      int opcode = OPCODES[random.nextInt(OPCODES.length)];
      int slot = opcode == WireBytes.GRANT ? random.nextInt(4, 7) : random.nextInt(1, 7);
      long length = random.nextInt(5) == 0 ? LENGTHS[random.nextInt(LENGTHS.length)] : WANTED[slot];
      byte[] header = WireBytes.header(opcode, slot, length, random.nextInt(20) == 0 ? 164 : 0);
      if (random.nextInt(40) == 0) {
        header[random.nextInt(header.length)] = (byte) random.nextInt();
      }
      parts.add(header);
      if (opcode == WireBytes.EAGER || opcode == WireBytes.DATA || opcode == WireBytes.ABORT) {
        byte[] payload = new byte[(int) length];
        random.nextBytes(payload);
        parts.add(payload);
      }
    }
    byte[] all = WireBytes.join(parts.toArray(byte[][]::new));
    return random.nextInt(3) == 0 ? Arrays.copyOf(all, random.nextInt(all.length)) : all;
  }
}
