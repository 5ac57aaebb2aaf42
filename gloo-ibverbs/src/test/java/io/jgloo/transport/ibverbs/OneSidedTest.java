package io.jgloo.transport.ibverbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Area;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.Request;
import io.jgloo.transport.ThreadRanks;
import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.ibverbs.verbs.SoftVerbs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Put and get on software adapters, whose limits can be set and whose registrations be counted. */
final class OneSidedTest extends OneSidedContract {

  private final SoftRanks soft = SoftRanks.prompt();
  private final SoftVerbs[] adapters = {
    soft.adapter(), soft.adapter(), soft.adapter(), soft.adapter()
  };

  @Override
  Ranks ranks(int size) {
    return new ThreadRanks(size, rank -> soft.open(adapters[rank]));
  }

  @AfterEach
  void nothingForbiddenWasDone() {
    soft.check();
  }

  @Test
  void memoryThatMayNotBePinnedIsNamed() {
    ranks(2)
        .run(
            rank -> {
              share(rank, rank.area(100));
              SoftVerbs own = adapters[rank.rank()];
              own.lockedLimit(own.lockedBytes() + 1000);
              Area area = rank.area(5000);
              String message =
                  assertThrows(
                          UnavailableException.class,
                          () -> mesh(rank).register(area.address(), 5000, area))
                      .getMessage();
              assertTrue(message.contains("needs 5000 bytes"), message);
              Request put = part(rank, area, 0, 50);
              assertThrows(
                  UnavailableException.class, () -> mesh(rank).put(put, key(1 - rank.rank()), 0));
              assertEquals(Request.State.IDLE, put.state());
              rank.meet();
            });
  }

  @Test
  void registeredMemoryIsNotRegisteredForEachMessage() {
    ranks(2)
        .run(
            rank -> {
              Area area = rank.area(1_000_000);
              share(rank, area);
              int before = adapters[rank.rank()].registrations();
              for (int i = 0; i < 3; i++) {
                area.buffer().wrap(area.address(), area.length(), area);
                rank.complete(rank.rank() == 0 ? rank.send(1, 1, area) : rank.recv(0, 1, area));
              }
              assertEquals(before, adapters[rank.rank()].registrations());
              rank.meet();
            });
  }
}
