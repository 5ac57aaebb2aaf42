package io.jgloo.collectives;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.verify.Network;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds each algorithm's closed-form cost against what is counted in the schedules it builds. */
@Timeout(60)
class CostTest {
  private static final int[] SIZES = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 31, 32, 33};

  static List<Algorithm> algorithms() {
    return Algorithms.all();
  }

  /** One segment for each chunk, all chunks alike: every figure is exact. */
  @ParameterizedTest
  @MethodSource("algorithms")
  void exactForEvenChunks(Algorithm algorithm) {
    for (int size : SIZES) {
      Shape shape = shape(algorithm, size, 8L * size);
      Cost cost = algorithm.cost(shape);
      Counted counted = count(algorithm, shape);
      assertAll(
          algorithm.name() + ": " + shape,
          () -> assertEquals(counted.rounds, cost.steps(), "steps"),
          () -> assertEquals(counted.bytes, cost.bytes(), "bytes"),
          () -> assertEquals(counted.pathBytes, cost.pathBytes(), "pathBytes"),
          () -> assertEquals(counted.reducedBytes, cost.reducedBytes(), "reducedBytes"),
          () -> assertMessages(counted.messages, cost));
    }
  }

  /** Several segments, chunks of two lengths: bounds, and close ones. */
  @ParameterizedTest
  @MethodSource("algorithms")
  void closeBoundForUnevenChunks(Algorithm algorithm) {
    for (int size : SIZES) {
      Shape shape = shape(algorithm, size, 29L * size + 5).withSegmentBytes(10 * 4);
      Cost cost = algorithm.cost(shape);
      Counted counted = count(algorithm, shape);
      long slack = 2L * size * 4; // one element for each chunk in each lap
      assertAll(
          algorithm.name() + ": " + shape,
          () -> assertMessages(counted.messages, cost),
          () -> assertTrue(counted.bytes <= cost.bytes(), "bytes " + counted + cost),
          () -> assertTrue(cost.bytes() <= counted.bytes + slack, "bytes " + counted + cost));
    }
  }

  /** A chain's segments follow each other: with L-byte messages it takes P - 2 + S/L rounds. */
  @Test
  void pathOfAPipelineIsItsRounds() {
    Algorithm chain = Algorithms.named(Collective.BROADCAST, "pipelinedChain");
    Shape shape = Shape.broadcast(6, 2, 100, 4).withSegmentBytes(40);
    int rounds = Rounds.of(network(chain, shape), 1).count();
    assertEquals(6 - 2 + 10, rounds);
    assertEquals(rounds * 40L, chain.cost(shape).pathBytes());
  }

  @Test
  void sixteenThousandRanksWithoutBuildingAnything() {
    int size = 16384;
    long bytes = size * 4096L;
    Shape allreduce = Shape.allreduce(size, bytes / 4, 4);
    assertEquals(2 * 16383, cost("ring", allreduce).steps());
    assertEquals(2 * 16383 * 4096L, cost("ring", allreduce).bytes());
    assertEquals(28, cost("halvingDoubling", allreduce).steps());
    assertEquals(2 * 16383 * 4096L, cost("halvingDoubling", allreduce).bytes());
    assertEquals(14, cost("recursiveDoubling", allreduce).steps());
    assertEquals(14 * bytes, cost("recursiveDoubling", allreduce).bytes());
    assertEquals(28, cost("tree", allreduce).steps());
    assertEquals(14, cost("tree", Shape.broadcast(size, 5, 1, 4)).steps());
    assertEquals(16383, cost("pipelinedChain", Shape.broadcast(size, 5, 1, 4)).steps());
    assertEquals(14, cost("dissemination", Shape.barrier(size)).steps());
    assertEquals(15, cost("dissemination", Shape.barrier(size + 1)).steps());
  }

  private static Cost cost(String name, Shape shape) {
    return Algorithms.named(shape.collective(), name).cost(shape);
  }

  /** Exact but for ranges that wrap round the end of the vector: one message more in a step. */
  private static void assertMessages(long counted, Cost cost) {
    assertTrue(counted <= cost.messages(), counted + " messages, " + cost);
    assertTrue(cost.messages() <= counted + cost.steps(), counted + " messages, " + cost);
  }

  private static Shape shape(Algorithm algorithm, int size, long count) {
    return Shapes.of(algorithm.collective(), size, size / 2, count, 4).withInPlace(true);
  }

  private static Network network(Algorithm algorithm, Shape shape) {
    List<Schedule> schedules = new ArrayList<>();
    for (int rank = 0; rank < shape.size(); rank++) {
      schedules.add(algorithm.schedule(shape, rank));
    }
    return new Network(schedules);
  }

  /** What the ranks do in rounds; on the path is, of each round, the rank that does most. */
  private static Counted count(Algorithm algorithm, Shape shape) {
    Network network = network(algorithm, shape);
    Rounds rounds = Rounds.of(network, Integer.MAX_VALUE);
    long[] messages = new long[shape.size()];
    long[] bytes = new long[shape.size()];
    long[][] sent = new long[rounds.count() + 1][shape.size()];
    long[][] reduced = new long[rounds.count() + 1][shape.size()];
    for (int operation = 0; operation < network.operations(); operation++) {
      int rank = network.rankOf(operation);
      Schedule schedule = network.schedule(rank);
      int op = operation - network.base(rank);
      long length = schedule.length(op);
      switch (schedule.kind(op)) {
        case SEND -> {
          messages[rank]++;
          bytes[rank] += length;
          sent[rounds.round(operation)][rank] += length;
        }
        case RECV_REDUCE, REDUCE -> reduced[rounds.round(operation)][rank] += length;
        default -> {} // neither on the wire nor in the arithmetic
      }
    }
    return new Counted(rounds.count(), most(messages), most(bytes), path(sent), path(reduced));
  }

  private static long most(long[] ofRanks) {
    long most = 0;
    for (long value : ofRanks) {
      most = Math.max(most, value);
    }
    return most;
  }

  private static long path(long[][] rounds) {
    long sum = 0;
    for (long[] ofRanks : rounds) {
      sum += most(ofRanks);
    }
    return sum;
  }

  private record Counted(
      long rounds, long messages, long bytes, long pathBytes, long reducedBytes) {}
}
