package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.transport.Mesh;
import io.jgloo.transport.Rank;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.Request;
import io.jgloo.transport.Slot;
import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.capability.Diagnosis;
import io.jgloo.transport.capability.Diagnosis.Blockers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waits are followed from rank to rank, to those that do not answer or wait for no rank. */
@Timeout(60)
class BlockerSearchTest {

  private static final long CALL = Slot.of(Slot.COLLECTIVE, 7);
  private static final long EARLIER = Slot.of(Slot.COLLECTIVE, 6);
  private static final long LATER = Slot.of(Slot.COLLECTIVE, 8);
  private static final long MESSAGE = Slot.of(Slot.USER, 7);

  /** More than goes without having been asked for. */
  private static final int LARGE = 2 << 20;

  /** What a rank waits with. */
  private interface Wait {
    Request of(Rank rank);
  }

  /** Each rank waits; then rank 0 must find these. */
  private static void expect(Blockers expected, Ranks ranks, Wait wait) {
    ranks.run(
        rank -> {
          Request waiting = wait.of(rank);
          rank.meet();
          if (rank.rank() == 0) {
            assertEquals(expected, find(rank.mesh(), Ranks.PATIENCE));
            rank.mesh().abort(new UnavailableException("enough"));
          }
          rank.end(waiting);
        });
  }

  private static Blockers find(Mesh mesh, Duration patience) throws Exception {
    return mesh.capability(Diagnosis.class)
        .orElseThrow()
        .findBlockers(CALL, patience)
        .get(Ranks.PATIENCE.toMillis() + patience.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static Request recv(Rank rank, int peer, long slot) {
    return rank.recv(peer, slot, rank.area(8));
  }

  @Test
  void waitsAreFollowedToTheLateRank() {
    expect(
        new Blockers(List.of(), List.of(4)),
        Loopback.ranks(5),
        rank ->
            rank.rank() == 4
                ? recv(rank, 1, LATER)
                : recv(rank, rank.rank() + 1, rank.rank() % 2 == 0 ? CALL : EARLIER));
  }

  @Test
  void messagesOfOtherSpacesAreNoWaits() {
    expect(
        new Blockers(List.of(), List.of(2)),
        Loopback.ranks(3),
        rank -> recv(rank, (rank.rank() + 1) % 3, rank.rank() == 2 ? MESSAGE : CALL));
  }

  @Test
  void sendsThatAreNotTakenAreWaits() {
    expect(
        new Blockers(List.of(), List.of(2)),
        Loopback.ranks(3),
        rank ->
            switch (rank.rank()) {
              case 0 -> recv(rank, 1, CALL);
              case 1 -> rank.send(2, CALL, rank.area(LARGE));
              default -> recv(rank, 0, LATER);
            });
  }

  @Test
  void ranksThatWaitForEachOtherHoldUpNothing() {
    expect(Blockers.NONE, Loopback.ranks(3), rank -> recv(rank, (rank.rank() + 1) % 3, CALL));
  }

  @Test
  void pairsThatAreNotConnectedAreAskedToo() {
    expect(
        new Blockers(List.of(), List.of(2)),
        Loopback.ranks(3, Loopback.OPTIONS.with("connecting", "lazy")),
        rank -> recv(rank, (rank.rank() + 1) % 3, rank.rank() == 2 ? LATER : CALL));
  }

  /** It has no connection but for its stream: no process listens where it said. */
  @Test
  void rankThatCannotBeAskedIsSilent() {
    Loopback.ranks(1)
        .run(
            rank -> {
              try (Victim victim = new Victim(rank);
                  RoguePeer peer = Victim.invade(victim)) {
                Request waiting = victim.recv(CALL, rank.area(8));
                assertEquals(
                    new Blockers(List.of(1), List.of()),
                    find(victim.mesh(), Duration.ofMillis(200)));
                victim.mesh().abort(new UnavailableException("enough"));
                victim.end(waiting);
                peer.hear(WireBytes.HEADER_BYTES);
              }
            });
  }

  @Test
  void onGloosWireNoRankIsAsked() {
    Loopback.ranks(2, Loopback.OPTIONS.with("wire", "gloo"))
        .run(
            rank -> {
              assertEquals(Blockers.NONE, find(rank.mesh(), Ranks.PATIENCE));
              rank.meet();
            });
  }
}
