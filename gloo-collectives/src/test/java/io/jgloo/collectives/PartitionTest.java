package io.jgloo.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Parts of a vector: without gap or overlap, cut between elements, balanced, within bounds. */
@Timeout(30)
class PartitionTest {
  @RepeatedTest(200)
  void partsCoverTheVector(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    SplittableRandom random = new SplittableRandom(seed);
    int elementBytes = new int[] {1, 2, 3, 4, 8, 12, 16}[random.nextInt(7)];
    long count = random.nextLong(1L << random.nextInt(1, 24));
    int size = random.nextInt(1, 70);
    long bound = elementBytes * random.nextLong(1, 1L << random.nextInt(1, 18));
    if (random.nextBoolean()) {
      bound = (bound + 63) / 64 * 64 * elementBytes;
    }
    Shape shape = Shape.allreduce(size, count, elementBytes).withSegmentBytes(bound);
    String replay = "seed " + seed + ": " + shape;

    Partition chunks = Partition.chunks(shape);
    assertEquals(size, chunks.parts(), replay);
    check(chunks, 0, shape.bytes(), elementBytes, replay);
    check(Partition.segments(shape), 0, shape.bytes(), elementBytes, replay);
    assertTrue(Partition.segments(shape).longest() <= bound, replay);

    int pieces = (int) ((chunks.longest() + bound - 1) / bound);
    for (int chunk = 0; chunk < size && pieces > 0; chunk++) {
      Range part = chunks.part(chunk);
      Partition split = chunks.split(chunk, pieces, bound);
      check(split, part.offset(), part.end(), elementBytes, replay);
      assertTrue(split.longest() <= bound, replay);
      Partition segments = chunks.segments(part, bound);
      check(segments, part.offset(), part.end(), elementBytes, replay);
      assertTrue(segments.longest() <= bound, replay);
    }
  }

  @Test
  void longPartsBeginOnCacheLines() {
    Partition chunks = Partition.chunks(Shape.allreduce(7, 100_003, 4));
    for (int chunk = 0; chunk < 7; chunk++) {
      assertEquals(0, chunks.part(chunk).offset() % 64);
    }
  }

  private static void check(Partition parts, long start, long end, int element, String replay) {
    long at = start;
    long longest = 0;
    long shortest = Long.MAX_VALUE;
    for (int part = 0; part < parts.parts(); part++) {
      Range range = parts.part(part);
      assertEquals(at, range.offset(), replay);
      assertEquals(0, range.offset() % element, replay);
      at = range.end();
      longest = Math.max(longest, range.length());
      shortest = Math.min(shortest, range.length());
    }
    assertEquals(end, at, replay);
    assertTrue(longest <= parts.longest(), replay);
    if (parts.parts() > 0) {
      assertTrue(longest - shortest <= Math.max(element, longest / 32), replay);
    }
  }
}
