package io.jgloo.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.memory.Memory;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The failure of one rank fails the mesh on all ranks, with the origin named; other meshes are not
 * affected.
 */
public interface AbortContract extends DeviceUnderTest {

  @ParameterizedTest
  @ValueSource(ints = {2, 9})
  default void allRanksGetOriginAndCauseOfAnAbort(int size) {
    needs(Ability.NOTICES);
    ranks(size)
        .run(
            rank -> {
              int left = (rank.rank() + size - 1) % size;
              Request waiting = rank.recv(left, 1, rank.area(8));
              rank.meet();
              if (rank.rank() == 1) {
                rank.mesh().abort(new UnavailableException("the reduce function divided by zero"));
                rank.fails(UnavailableException.class, waiting);
                rank.fails(UnavailableException.class, rank.recv(left, 2, rank.area(8)));
                assertInstanceOf(UnavailableException.class, rank.mesh().failure().orElseThrow());
                return;
              }
              AbortedException heard = rank.fails(AbortedException.class, waiting);
              assertEquals(1, heard.origin());
              String gaveUp = "rank 1 gave up: the reduce function divided by zero";
              assertEquals(gaveUp, heard.getMessage()); // whichever way it came
              Request later = rank.send(left, 2, rank.area(8));
              assertEquals(1, rank.fails(AbortedException.class, later).origin());
              assertInstanceOf(AbortedException.class, rank.mesh().failure().orElseThrow());
            });
  }

  /** Rank 1 of three aborts; each rank looks at what its receive fails with. */
  private void passedOn(JGlooException cause, BiConsumer<Rank, Request> look) {
    needs(Ability.NOTICES);
    ranks(3)
        .run(
            rank -> {
              Request waiting = rank.recv((rank.rank() + 2) % 3, 1, rank.area(8));
              rank.meet();
              if (rank.rank() == 1) {
                rank.mesh().abort(cause);
              }
              look.accept(rank, waiting);
            });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  default void lossOrDeparture_isPassedOnAsSuch(boolean departed) {
    String why = "rank 2 is no more";
    JGlooException cause =
        departed ? new PeerDepartedException(2, why) : new PeerLostException(2, why, null);
    passedOn(
        cause,
        (rank, waiting) -> {
          if (rank.rank() == 2) {
            // It is alive and cannot be lost to itself: with any notice, it fails.
            rank.fails(JGlooException.class, waiting);
          } else {
            PeerLostException heard = rank.fails(PeerLostException.class, waiting);
            assertEquals(cause.getClass(), heard.getClass());
            assertEquals(2, heard.peer());
            assertTrue(heard.getMessage().contains("is no more"), heard.getMessage());
          }
        });
  }

  @Test
  default void aMismatchIsPassedOnWithBothSides() {
    MismatchException.Side first = new MismatchException.Side(7, 1, 2, 3, 4);
    MismatchException.Side second = new MismatchException.Side(8, -1, -2, -3, -4);
    passedOn(
        new MismatchException("no agreement", first, second),
        (rank, waiting) -> {
          MismatchException heard = rank.fails(MismatchException.class, waiting);
          assertEquals(first, heard.first());
          assertEquals(second, heard.second());
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  default void timeoutIsPassedOnWithTheMissingRanks(boolean confirmed) {
    passedOn(
        new OperationTimeoutException("too late", List.of(2), confirmed),
        (rank, waiting) -> {
          OperationTimeoutException heard = rank.fails(OperationTimeoutException.class, waiting);
          // The missing rank is alive, and is not named to itself.
          assertEquals(rank.rank() == 2 ? List.of() : List.of(2), heard.missingPeers());
          assertEquals(confirmed, heard.isConfirmed());
        });
  }

  /** A kernel that throws fails the mesh, ends no thread, and names no other rank. */
  @ParameterizedTest
  @CsvSource({
    "4, false, false",
    "1000000, false, false",
    "4, false, true",
    "4, true, true",
    "1000000, true, true"
  })
  default void aReductionThatThrowsFailsTheMesh(int bytes, boolean early, boolean error) {
    Reduction broken =
        throwing(
            () -> {
              if (error) {
                throw new AssertionError("cannot add these");
              }
              throw new ArithmeticException("cannot add these");
            });
    ranks(3)
        .run(
            rank -> {
              Request waiting = rank.recv((rank.rank() + 2) % 3, 9, rank.area(8));
              if (rank.rank() == 1) {
                Request recv = rank.request(1, rank.area(bytes)).reducing(broken);
                if (early) {
                  rank.pause(20); // the message, or a part of it, is here before its receive
                  rank.queue().progress();
                }
                rank.recv(0, recv);
                AbortedException failure = rank.fails(AbortedException.class, recv);
                assertEquals("cannot add these", failure.getCause().getMessage());
                assertEquals(1, failure.origin());
                rank.fails(AbortedException.class, waiting);
              } else {
                Request send = rank.rank() == 0 ? rank.send(1, 1, rank.area(bytes)) : null;
                JGlooException heard = rank.fails(JGlooException.class, waiting);
                assertFalse(heard instanceof ProtocolException, heard.toString());
                if (abilities().contains(Ability.NOTICES)) {
                  assertEquals(1, assertInstanceOf(AbortedException.class, heard).origin());
                  assertTrue(heard.getMessage().contains("cannot add these"), heard.getMessage());
                }
                if (send != null) {
                  rank.end(send);
                }
              }
              rank.meet();
              rank.connectAnother("after").close(); // the device's thread is alive
            });
  }

  /** The mesh frees nothing that the reduction still uses, and fails when it has returned. */
  @ParameterizedTest
  @CsvSource({"4,false", "1000000,false", "4,true", "1000000,true"})
  default void anAbortInsideAReductionFailsTheMesh(int bytes, boolean early) {
    ranks(3)
        .run(
            rank -> {
              Request waiting = rank.recv((rank.rank() + 2) % 3, 9, rank.area(8));
              if (rank.rank() == 1) {
                Reduction aborting =
                    throwing(
                        () -> {
                          rank.mesh().abort(new UnavailableException("enough of this"));
                          assertTrue(rank.mesh().failure().isEmpty(), "not before it returns");
                        });
                Request recv = rank.request(1, rank.area(bytes)).reducing(aborting);
                if (early) {
                  rank.pause(20);
                  rank.queue().progress();
                }
                rank.recv(0, recv);
                rank.fails(UnavailableException.class, recv);
                rank.fails(UnavailableException.class, waiting);
              } else {
                Request send = rank.rank() == 0 ? rank.send(1, 1, rank.area(bytes)) : null;
                JGlooException heard = rank.fails(JGlooException.class, waiting);
                assertFalse(heard instanceof ProtocolException, heard.toString());
                if (send != null) {
                  rank.end(send);
                }
              }
              rank.meet();
            });
  }

  private static Reduction throwing(Runnable body) {
    return new Reduction() {
      @Override
      public void reduce(long target, long source, long length) {
        body.run();
        Memory.putInt(target, Memory.getInt(target) + Memory.getInt(source));
      }

      @Override
      public int granule() {
        return 4;
      }
    };
  }

  @Test
  default void theFirstFailureWins() {
    needs(Ability.NOTICES);
    ranks(2)
        .run(
            rank -> {
              rank.meet();
              if (rank.rank() == 0) {
                rank.mesh().abort(new UnavailableException("first"));
                rank.mesh().abort(new ProtocolException("second"));
                JGlooException failure = rank.mesh().failure().orElseThrow();
                assertInstanceOf(UnavailableException.class, failure);
                assertTrue(failure.getMessage().contains("first"), failure.getMessage());
              }
              Request waiting = rank.recv(1 - rank.rank(), 1, rank.area(8));
              String heard = rank.fails(JGlooException.class, waiting).getMessage();
              assertTrue(heard.contains("first"), heard);
            });
  }

  @Test
  default void aLongMessageIsPassedOnInPart() {
    needs(Ability.NOTICES);
    ranks(2)
        .run(
            rank -> {
              Request waiting = rank.recv(1 - rank.rank(), 1, rank.area(8));
              rank.meet();
              if (rank.rank() == 0) {
                rank.mesh().abort(new UnavailableException("why: " + "é".repeat(200_000)));
              } else {
                String heard = rank.fails(AbortedException.class, waiting).getMessage();
                assertTrue(heard.contains("why: é"), () -> heard.substring(0, 100));
              }
              rank.meet();
            });
  }

  @Test
  default void floodedPeersAreNotifiedToo() {
    needs(Ability.NOTICES);
    ranks(2)
        .run(
            rank -> {
              Area area = rank.area(100_000);
              Request last = null;
              for (int i = 0; i < 200; i++) {
                last = rank.send(1 - rank.rank(), 1, area);
              }
              rank.meet();
              if (rank.rank() == 0) {
                rank.mesh().abort(new UnavailableException("enough"));
                assertTrue(last.isDone());
              } else {
                Request waiting = rank.recv(0, 2, rank.area(8));
                assertEquals(0, rank.fails(AbortedException.class, waiting).origin());
              }
            });
  }

  @Test
  default void anotherMeshOfTheSameDevicesIsUnharmed() {
    ranks(3)
        .run(
            rank -> {
              Mesh bystander = rank.connectAnother("bystander");
              CompletionQueue queue = bystander.newQueue();
              Area area = rank.area(5000).fill(rank.rank());
              Buffer buffer = bystander.newBuffer().wrap(area.address(), 5000, area);
              Request send = queue.newRequest();
              Request recv = queue.newRequest();
              Area in = rank.area(5000);
              Buffer inBuffer = bystander.newBuffer().wrap(in.address(), 5000, in);
              int left = (rank.rank() + 2) % 3;
              for (int i = 0; i < 90; i++) {
                if (i == 30 && rank.rank() == 1) {
                  rank.mesh().abort(new UnavailableException("only this mesh"));
                }
                if (i == 60) {
                  rank.mesh().close();
                }
                bystander.pair(left).recv(recv.message(i, inBuffer, 0, 5000));
                bystander.pair((rank.rank() + 1) % 3).send(send.message(i, buffer, 0, 5000));
                for (int done = 0; done < 2; ) {
                  if (queue.poll() != null) {
                    done++;
                  } else {
                    assertTrue(queue.await(rank.deadline(Ranks.PATIENCE)), "bystander hangs");
                  }
                }
                assertEquals(Request.State.DONE, recv.state());
                assertEquals(Request.State.DONE, send.state());
                in.check(left);
              }
              assertTrue(bystander.failure().isEmpty());
              assertFalse(rank.mesh() == bystander);
              rank.meet();
            });
  }
}
