package io.jgloo.collectives.verify;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.CostModel;
import io.jgloo.collectives.Layout;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.Shapes;
import io.jgloo.collectives.algorithm.Algorithms;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds each algorithm's closed-form cost against what is counted in the schedules it builds. */
@Timeout(60)
class CostTest {
  private static final int[] SIZES = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 31, 32, 33};

  /** Where ranks do different things at the same time, the closed form is an estimate. */
  private static final Set<String> ESTIMATED =
      Set.of(
          "allreduce rabenseifner",
          "allreduce ringChunked",
          "allreduce bcube",
          "allreduce flat",
          "allgather glooRing",
          "broadcast doubleTree",
          "broadcast leaders",
          "alltoall bruck",
          "gather tree",
          "scatter tree",
          "reduce doubleTree",
          "reduceScatter pairwise",
          "exscan recursiveDoubling");

  /** Those of blocks of different lengths cost the same for equal ones. */
  private static List<Algorithm> algorithms(boolean estimated) {
    return Algorithms.all().stream()
        .filter(algorithm -> !algorithm.collective().uneven())
        .filter(
            algorithm ->
                estimated
                    == ESTIMATED.contains(algorithm.collective().label() + " " + algorithm.name()))
        .toList();
  }

  static List<Algorithm> exact() {
    return algorithms(false);
  }

  static List<Algorithm> estimated() {
    return algorithms(true);
  }

  /** One segment for each chunk, all chunks alike: every figure is exact. */
  @ParameterizedTest
  @MethodSource("exact")
  void exactForEvenChunks(Algorithm algorithm) {
    for (int size : SIZES) {
      Shape shape = shape(algorithm, size, 8L * size);
      Cost cost = algorithm.cost(shape);
      Counted counted = count(algorithm, shape);
      assertAll(
          algorithm.name() + ": " + shape,
          () -> assertEquals(counted.rounds, cost.steps(), "steps"),
          () -> assertChain(counted.chain, cost),
          () -> assertEquals(counted.bytes, cost.bytes(), "bytes"),
          () -> assertEquals(counted.pathBytes, cost.pathBytes(), "pathBytes"),
          () -> assertEquals(counted.reducedBytes, cost.reducedBytes(), "reducedBytes"),
          () -> assertMessages(counted.messages, cost));
    }
  }

  /** Several segments, chunks of two lengths: bounds, and close ones. */
  @ParameterizedTest
  @MethodSource("exact")
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

  /** Within a factor of two of what is counted in rounds. */
  @ParameterizedTest
  @MethodSource("estimated")
  void estimateForTheOthers(Algorithm algorithm) {
    for (int size : SIZES) {
      Shape shape = shape(algorithm, size, 8L * size);
      Cost cost = algorithm.cost(shape);
      Counted counted = count(algorithm, shape);
      assertAll(
          algorithm.name() + ": " + shape,
          () -> assertNear(counted.rounds, cost.steps(), "steps"),
          () ->
              assertTrue(counted.chain <= cost.steps() - cost.queued(), "chain " + counted + cost),
          () -> assertNear(counted.messages, cost.messages(), "messages"),
          () -> assertNear(counted.bytes, cost.bytes(), "bytes"),
          () -> assertNear(counted.pathBytes, cost.pathBytes(), "pathBytes"),
          () -> assertReduced(counted, cost.reducedBytes()));
    }
  }

  /** So that one rank chooses as the others do, who send other counts. */
  @Test
  void costOfAnAlltoallvDoesNotDependOnItsCounts() {
    Shape one = Shape.alltoallv(new long[] {0, 1, 2}, new long[] {0, 0, 0}, 4);
    Shape other = Shape.alltoallv(new long[] {1 << 20, 1, 2}, new long[] {1, 1, 1}, 4);
    for (Algorithm algorithm : Algorithms.of(Collective.ALLTOALLV)) {
      assertEquals(algorithm.cost(one), algorithm.cost(other));
    }
  }

  /**
   * What one rank reduces, or what delays the end; copies count as well where nothing is reduced.
   */
  private static void assertReduced(Counted counted, long cost) {
    boolean oneRank = cost >= counted.reducedByOne / 2;
    boolean onPath = cost <= 2 * Math.max(counted.reducedByOne, counted.reducedBytes);
    assertTrue(oneRank && (onPath || counted.reducedByOne == 0), counted + ", not " + cost);
  }

  private static void assertNear(long counted, long cost, String what) {
    assertTrue(cost <= 2 * counted && counted <= 2 * cost, what + " " + counted + ", not " + cost);
  }

  /** A letter for the host of each rank; steps and, of 96 bytes, path bytes that stay inside. */
  @ParameterizedTest
  @CsvSource({
    "aabbccdd, 2, 96",
    "aaaabbbb, 4, 144",
    "aabbbbcc, 2, 96",
    "abababab, 0, 0",
    "abbccdda, 0, 0",
    "aaaaaabb, 2, 96",
    "aabbcc, 0, 0", // no power of two: some exchange all first
  })
  void rabenseifnersLongHalvesStayInsideHosts(String hosts, int steps, long bytes) {
    Layout layout = Layout.of(hosts.chars().mapToObj(Character::toString).toList());
    Cost cost = cost("rabenseifner", Shape.allreduce(hosts.length(), 24, 4).withLayout(layout));
    assertEquals(steps, cost.localSteps());
    assertEquals(bytes, cost.localPathBytes());
  }

  private static Cost cost(String name, Shape shape) {
    return Algorithms.named(shape.collective(), name).cost(shape);
  }

  /** Exact but for ranges that wrap round the end of the vector: one message more in a step. */
  private static void assertMessages(long counted, Cost cost) {
    assertTrue(counted <= cost.messages(), counted + " messages, " + cost);
    assertTrue(cost.messages() <= counted + cost.steps(), counted + " messages, " + cost);
  }

  /** Exact where messages are said to wait for their turn only; else no longer than the rounds. */
  private static void assertChain(long counted, Cost cost) {
    long dependent = cost.steps() - cost.queued();
    assertTrue(
        cost.queued() > 0 ? counted == dependent : counted <= dependent,
        counted + " messages that depend on each other, " + cost);
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
    long[] reducedByOne = new long[shape.size()];
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
        case RECV_REDUCE, REDUCE -> {
          reduced[rounds.round(operation)][rank] += length;
          reducedByOne[rank] += length;
        }
        default -> {} // neither on the wire nor in the arithmetic
      }
    }
    return new Counted(
        rounds.count(),
        chain(network),
        most(messages),
        most(bytes),
        path(sent),
        path(reduced),
        most(reducedByOne));
  }

  /** The most messages of which each is sent when the one before has come, however many at once. */
  private static long chain(Network network) {
    int[] before = new int[network.operations()]; // messages that must have come before
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int operation = 0; operation < before.length; operation++) {
        changed |= follow(network, operation, before);
      }
    }
    int most = 0;
    for (int operation = 0; operation < before.length; operation++) {
      most = Math.max(most, after(network, operation, before));
    }
    return most;
  }

  private static int after(Network network, int operation, int[] before) {
    int rank = network.rankOf(operation);
    int op = operation - network.base(rank);
    boolean received = network.schedule(rank).kind(op).isReceive();
    int own = before[operation];
    return received ? Math.max(own, before[network.partner(operation)] + 1) : own;
  }

  private static boolean follow(Network network, int operation, int[] before) {
    int rank = network.rankOf(operation);
    Schedule schedule = network.schedule(rank);
    int op = operation - network.base(rank);
    int after = after(network, operation, before);
    boolean changed = false;
    for (int i = 0; i < schedule.successors(op); i++) {
      int later = network.base(rank) + schedule.successor(op, i);
      changed |= before[later] < after;
      before[later] = Math.max(before[later], after);
    }
    return changed;
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
      long rounds,
      long chain,
      long messages,
      long bytes,
      long pathBytes,
      long reducedBytes,
      long reducedByOne) {}

  @Test
  void modelsAreReadAsTheyAreWritten() {
    CostModel model = new CostModel(3.25e-6, 1e-10, 0);
    assertEquals(model, CostModel.parse(model.toString()));
    CostModel gap = new CostModel(3e-6, 1e-10, 0, 2e-6, 1e-10, 1e-6);
    assertEquals(gap, CostModel.parse(gap.toString()));
    for (String wrong : new String[] {"", "alpha=1:beta=2", "alpha=x:beta=1:gamma=1"}) {
      assertThrows(IllegalArgumentException.class, () -> CostModel.parse(wrong));
    }
    assertThrows(IllegalArgumentException.class, () -> CostModel.parse("alpha=-1:beta=0:gamma=0"));
  }
}
