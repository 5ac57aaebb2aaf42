package io.jgloo.collectives.cppgloo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.execution.Dialect;
import io.jgloo.transport.Wire;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The messages of Gloo's algorithms, worked out by hand, and the slots they go in. */
@Timeout(60)
class CppGlooScheduleTest {

  @ParameterizedTest
  @CsvSource({
    "10, 4, 3, 2, 8",
    "3000000, 4, 3, 4, 1000000",
    "1, 4, 4, 2, 4",
    "5, 8, 1, 2, 24",
    "262145, 4, 2, 2, 262148",
  })
  void allreduceIsCut(long count, int bytes, int size, int ofRank, long segmentBytes) {
    Shape shape = Shape.allreduce(size, count, bytes);
    assertEquals(
        new CppGlooSegments(ofRank, segmentBytes, count * bytes, size),
        CppGlooSegments.ofAllreduce(shape));
  }

  @ParameterizedTest
  @CsvSource({
    "10, 4, 3, 2, 8",
    "1, 4, 4, 2, 4",
    "3000000, 4, 3, 4, 1048576",
    "9, 4, 2, 2, 12",
  })
  void reduceIsCut(long count, int bytes, int size, int ofRank, long segmentBytes) {
    Shape shape = Shape.reduce(size, 0, count, bytes);
    assertEquals(
        new CppGlooSegments(ofRank, segmentBytes, count * bytes, size),
        CppGlooSegments.ofReduce(shape));
  }

  @Test
  void ringOfTenFloatsOverThreeRanks() {
    Schedule schedule = named(Collective.ALLREDUCE, "glooRing", Shape.allreduce(3, 10, 4), 0);
    assertEquals(
        List.of(
            "send 16+8 to 2", // chunk 1, segments 2 and 3, then chunk 2's, of which one is empty
            "send 24+8 to 2",
            "send 32+8 to 2",
            "send 0+8 to 2",
            "send 8+8 to 2",
            "send 16+8 to 2",
            "send 24+8 to 2"),
        messages(schedule, Schedule.Kind.SEND));
    assertEquals(
        List.of(
            "recv 32+8 from 1",
            "recv 0+8 from 1",
            "recv 8+8 from 1",
            "recv 16+8 from 1",
            "recv 24+8 from 1",
            "recv 32+8 from 1"),
        messages(schedule, Schedule.Kind.RECV));
  }

  @Test
  void reduceSendsTwoSegmentsMoreThanItNeeds() {
    Shape shape = Shape.reduce(3, 1, 3_000_000, 4);
    Schedule schedule = named(Collective.REDUCE, "glooRing", shape, 0);
    List<String> sent = messages(schedule, Schedule.Kind.SEND);
    assertEquals(10 + 1, sent.size()); // 12 - 2 iterations, and the chunk to the root
    assertEquals(List.of("send 0+1048576 to 2", "send 1048576+1048576 to 2"), sent.subList(8, 10));
    assertEquals("send 0+4194304 to 1", sent.get(10));
  }

  @Test
  void allgatherCutsABlockWithinAnElement() {
    Schedule schedule = named(Collective.ALLGATHER, "glooRing", Shape.allgather(2, 1, 5), 1);
    assertEquals(List.of("send 0+2 to 0", "send 2+3 to 0"), messages(schedule, Schedule.Kind.SEND));
    assertEquals(
        List.of("recv 0+2 from 0", "recv 2+3 from 0"), messages(schedule, Schedule.Kind.RECV));
  }

  @Test
  void emptyPartsAreSentWhereGlooSendsThem() {
    assertEquals(
        List.of("send 0+0 to 1", "send 0+0 to 2"),
        messages(
            named(Collective.BROADCAST, "glooTree", Shape.broadcast(3, 0, 0, 4), 0),
            Schedule.Kind.SEND));
    assertEquals(
        List.of("send 0+0 to 1"),
        messages(
            named(Collective.ALLTOALL, "glooLinear", Shape.alltoall(2, 0, 4), 0),
            Schedule.Kind.SEND));
    assertEquals(
        List.of(),
        messages(
            named(Collective.ALLREDUCE, "glooRing", Shape.allreduce(3, 0, 4), 0),
            Schedule.Kind.SEND));
    assertEquals(
        List.of(),
        messages(
            named(Collective.ALLGATHER, "glooRing", Shape.allgather(3, 0, 4), 0),
            Schedule.Kind.SEND));
    assertEquals(
        List.of("send 0+0 to 1", "send 0+4 to 1"), // one element over two: the second has none
        messages(
            named(Collective.ALLREDUCE, "glooBcube", Shape.allreduce(2, 1, 4), 0),
            Schedule.Kind.SEND));
  }

  @Test
  void slotsArePrefixAndTag() {
    assertEquals(0x04de_adbe_ef00_0000L, CppGlooDialect.slot(Collective.ALLREDUCE, 0xdead_beefL));
    assertEquals(0x0100_0000_0000_0000L, CppGlooDialect.slot(Collective.GATHERV, 0));
    assertEquals(0x02L << 56, CppGlooDialect.slot(Collective.ALLGATHER, 0));
    assertEquals(0x03L << 56, CppGlooDialect.slot(Collective.REDUCE, 0));
    assertEquals(0x05L << 56, CppGlooDialect.slot(Collective.SCATTER, 0));
    assertEquals(0x06L << 56, CppGlooDialect.slot(Collective.BROADCAST, 0));
    assertEquals(0x07L << 56, CppGlooDialect.slot(Collective.BARRIER, 0));
    assertEquals(0x08L << 56, CppGlooDialect.slot(Collective.ALLTOALLV, 0));
  }

  @Test
  void pytorchCountsCalls() {
    Dialect dialect = new PyTorchDialect(Wire.GLOO);
    assertEquals(0x0400_0000_0000_0000L, dialect.slot(Collective.ALLREDUCE, -1, 0));
    assertEquals(0x0400_0000_0700_0000L, dialect.slot(Collective.ALLREDUCE, -1, 7));
    assertEquals(0x0400_0000_0100_0000L, dialect.slot(Collective.ALLREDUCE, -1, (1L << 32) + 1));
    assertThrows(IllegalArgumentException.class, () -> new PyTorchDialect(Wire.JGLOO));
  }

  private static Schedule named(Collective collective, String name, Shape shape, int rank) {
    return CppGlooAlgorithms.of(collective).stream()
        .filter(algorithm -> algorithm.name().equals(name))
        .findFirst()
        .orElseThrow()
        .schedule(shape, rank);
  }

  private static List<String> messages(Schedule schedule, Schedule.Kind kind) {
    List<String> all = new ArrayList<>();
    for (int op = 0; op < schedule.operations(); op++) {
      boolean send = schedule.kind(op) == Schedule.Kind.SEND;
      if (schedule.kind(op).isMessage() && send == (kind == Schedule.Kind.SEND)) {
        all.add(
            (send ? "send " : "recv ")
                + schedule.offset(op)
                + "+"
                + schedule.length(op)
                + (send ? " to " : " from ")
                + schedule.peer(op));
      }
    }
    return all;
  }
}
