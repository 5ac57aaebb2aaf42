package io.jgloo.collectives.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.HandMadeSchedule;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Program.Order;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.verify.Verifier.BrokenScheduleException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjIntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** Breaks schedules in every way the verifier looks for, and sees each one caught. */
@Timeout(30)
class VerifierTest {
  private static final Shape PAIR = Shape.allreduce(2, 4, 4).withInPlace(true);
  private static final Range ALL = new Range(Space.OUTPUT, 0, 16);
  private static final Range SCRATCH = new Range(Space.SCRATCH, 0, 16);

  @Test
  void acceptsAnExchangeThroughScratch() {
    assertEquals(2, Verifier.verify(programs(PAIR, VerifierTest::exchange), false));
  }

  @Test
  void sendingAndReceivingOneRangeDeadlocks() {
    assertBroken(
        "deadlock",
        PAIR,
        (program, rank) -> {
          program.send(1 - rank, ALL);
          program.recvReduce(1 - rank, ALL, Order.TARGET_FIRST);
        });
  }

  @Test
  void messageWithoutReceive() {
    assertBroken(
        "rank 1, operation 3 (send output[0,16) to rank 0): is received by no rank",
        PAIR,
        (program, rank) -> {
          exchange(program, rank);
          if (rank == 1) {
            program.send(0, ALL);
          }
        });
  }

  @Test
  void messagesOfTwoLengths() {
    assertBroken(
        "rank 1, operation 1 (recv scratch[0,12) from rank 0): differs in length",
        PAIR,
        (program, rank) -> {
          program.send(1 - rank, ALL);
          program.recv(1 - rank, new Range(Space.SCRATCH, 0, rank == 0 ? 16 : 12));
        });
  }

  @Test
  void contributionCountedTwice() {
    assertBroken(
        "twice: (x0+x1)x",
        PAIR,
        (program, rank) -> {
          exchange(program, rank);
          program.reduce(ALL, SCRATCH, Order.TARGET_FIRST);
        });
  }

  @Test
  void contributionMissing() {
    assertBroken("are x0", PAIR, (program, rank) -> {});
  }

  @Test
  void elementsMixedUp() {
    assertBroken(
        "reduces different elements",
        PAIR,
        (program, rank) -> {
          for (int half = 0; half < 2; half++) {
            program.send(1 - rank, new Range(Space.OUTPUT, half * 8L, 8));
            program.recv(1 - rank, new Range(Space.SCRATCH, (1 - half) * 8L, 8));
          }
          program.reduce(ALL, SCRATCH, rank == 0 ? Order.TARGET_FIRST : Order.SOURCE_FIRST);
        });
  }

  @Test
  void operandsInAnotherOrder() {
    assertBroken(
        "but at rank 0",
        PAIR,
        (program, rank) -> {
          program.send(1 - rank, ALL);
          program.recv(1 - rank, SCRATCH);
          program.reduce(ALL, SCRATCH, Order.TARGET_FIRST);
        });
  }

  @Test
  void orderOfRanksNotKept() {
    List<Schedule> descending =
        programs(
            PAIR,
            (program, rank) -> {
              program.send(1 - rank, ALL);
              program.recv(1 - rank, SCRATCH);
              program.reduce(ALL, SCRATCH, rank == 1 ? Order.TARGET_FIRST : Order.SOURCE_FIRST);
            });
    assertEquals(2, Verifier.verify(descending, false));
    BrokenScheduleException fault =
        assertThrows(BrokenScheduleException.class, () -> Verifier.verify(descending, true));
    assertTrue(fault.getMessage().contains("(x1+x0), not in order of ranks"), fault.getMessage());
  }

  @Test
  void readOfUnwrittenMemory() {
    assertBroken(
        "reads undefined bytes of output at 0",
        PAIR.withInPlace(false),
        (program, rank) -> exchange(program, rank));
  }

  @Test
  void outputNeverWritten() {
    assertBroken(
        "undefined", Shape.broadcast(2, 0, 4, 4).withInPlace(false), (program, rank) -> {});
  }

  @Test
  void broadcastOfAnotherRoot() {
    assertBroken(
        "reads undefined bytes of output at 0",
        Shape.broadcast(2, 0, 4, 4).withInPlace(true),
        (program, rank) -> {
          if (rank == 1) {
            program.send(0, ALL);
          } else {
            program.recv(1, ALL);
          }
        });
  }

  @Test
  void blockOfAnotherRank() {
    assertBroken(
        "bytes 8 to 16 of the output are x0 of byte 0",
        Shape.allgather(2, 2, 4),
        (program, rank) -> {
          Range own = new Range(Space.OUTPUT, rank * 8L, 8);
          program.copyOwn(own);
          program.send(1 - rank, program.own(own));
          program.recv(1 - rank, rank == 1 ? own.moved(-8) : SCRATCH.part(0, 8));
          if (rank == 0) {
            program.copy(own.moved(8), own);
          }
        });
  }

  @Test
  void contributionChangedThatIsOnlyRead() {
    assertBroken(
        "rank 1: bytes 0 to 16 of the output are (x0+x1)",
        Shape.reduce(2, 0, 4, 4).withInPlace(true),
        (program, rank) -> exchange(program, rank));
  }

  @Test
  void leavingABarrierEarly() {
    assertBroken(
        "rank 1: leaves before rank 2 has entered",
        Shape.barrier(3),
        (program, rank) -> {
          if (rank == 0) {
            program.await(1);
            program.signal(1); // before it has heard of rank 2
            program.await(2);
            program.signal(2);
          } else {
            program.signal(0);
            program.await(0);
          }
        });
  }

  /** Overwrites what is being sent: no dependency says that the receive must wait. */
  @Test
  void rangeOverwrittenInFlight() {
    List<Schedule> schedules = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      schedules.add(
          new HandMadeSchedule(PAIR, rank, 0)
              .message(Schedule.Kind.SEND, 1 - rank, ALL)
              .message(Schedule.Kind.RECV_REDUCE, 1 - rank, ALL)
              .schedule());
    }
    assertFault("may touch bytes in flight", () -> Verifier.verify(schedules, false));
    assertFault(
        "touches bytes in flight",
        () -> Simulation.run(new Network(schedules), Interleaving.strictest(), false));
  }

  /** Reads what is being received: seen only by interleavings in which the receive is slow. */
  @Test
  void rangeReadBeforeItIsReceived() {
    List<Schedule> schedules = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      schedules.add(
          new HandMadeSchedule(PAIR, rank, 16)
              .message(Schedule.Kind.SEND, 1 - rank, ALL)
              .message(Schedule.Kind.RECV, 1 - rank, SCRATCH)
              .local(Schedule.Kind.REDUCE, ALL, SCRATCH, 0)
              .schedule());
    }
    assertFault("may touch bytes in flight", () -> Verifier.verify(schedules, false));
  }

  @Test
  void messagesWithoutOrderOfIssue() {
    Range half = new Range(Space.OUTPUT, 0, 8);
    Range other = new Range(Space.OUTPUT, 8, 8);
    HandMadeSchedule sender =
        new HandMadeSchedule(PAIR, 0, 0)
            .message(Schedule.Kind.SEND, 1, half)
            .message(Schedule.Kind.SEND, 1, other);
    Schedule receiver =
        new HandMadeSchedule(PAIR, 1, 16)
            .message(Schedule.Kind.RECV, 0, half.in(Space.SCRATCH))
            .message(Schedule.Kind.RECV, 0, other.in(Space.SCRATCH))
            .inOrder(0, 1)
            .schedule();
    assertFault(
        "rank 0, operation 1 (send output[8,16) to rank 1): is not ordered",
        () -> Verifier.verify(List.of(sender.schedule(), receiver), false));
  }

  @Test
  void scratchTooSmall() {
    List<Schedule> schedules =
        List.of(
            new HandMadeSchedule(PAIR, 0, 0).message(Schedule.Kind.SEND, 1, ALL).schedule(),
            new HandMadeSchedule(PAIR, 1, 8).message(Schedule.Kind.RECV, 0, SCRATCH).schedule());
    assertFault("writes past the end of scratch", () -> Verifier.verify(schedules, false));
  }

  private static void exchange(Program program, int rank) {
    program.send(1 - rank, ALL);
    program.recv(1 - rank, SCRATCH);
    program.reduce(ALL, SCRATCH, rank == 0 ? Order.TARGET_FIRST : Order.SOURCE_FIRST);
  }

  private static List<Schedule> programs(Shape shape, ObjIntConsumer<Program> write) {
    List<Schedule> schedules = new ArrayList<>();
    for (int rank = 0; rank < shape.size(); rank++) {
      Program program = new Program(shape, rank);
      write.accept(program, rank);
      schedules.add(program.schedule());
    }
    return schedules;
  }

  private static void assertBroken(String why, Shape shape, ObjIntConsumer<Program> write) {
    assertFault(why, () -> Verifier.verify(programs(shape, write), false));
  }

  private static void assertFault(String why, Executable run) {
    String message = assertThrows(BrokenScheduleException.class, run).getMessage();
    assertTrue(message.contains(why), message);
  }
}
