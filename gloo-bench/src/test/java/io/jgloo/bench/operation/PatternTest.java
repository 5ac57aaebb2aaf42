package io.jgloo.bench.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.bench.operation.Trial.Findings;
import io.jgloo.bench.operation.VectorOperation.Block;
import io.jgloo.collectives.DataType;
import io.jgloo.transport.memory.Memory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Filling and comparing, beyond one period, on and off the heap. */
@Timeout(60)
final class PatternTest {

  private static final long COUNT = 2L * Pattern.PERIOD + 77;

  @ParameterizedTest
  @CsvSource({"FLOAT32,true", "INT64,true", "INT8,false", "FLOAT16,false"})
  void writtenPatternIsFound(DataType type, boolean heap) {
    Block block = new Block(5, COUNT - 10, 123_456, PatternTest::content);
    try (Vector vector =
        Vector.of(null, type, COUNT, heap ? Vector.Kind.HEAP : Vector.Kind.DIRECT)) {
      block.fill(vector, type, 4);
      assertEquals(0, errors(block, vector, type, 4));
      assertTrue(errors(block, vector, type, 5) > COUNT / 2, "another round looks the same");
      assertTrue(errors(shifted(block, 1024), vector, type, 4) > COUNT / 2, "a shift goes unseen");
    }
  }

  private static long content(long index, int round) {
    return ((index * 0x9e3779b97f4a7c15L) >>> 32) + round;
  }

  private static Block shifted(Block block, int by) {
    return new Block(block.first(), block.count() - by, block.phase() + by, block.content());
  }

  private static long errors(Block block, Vector vector, DataType type, int round) {
    Findings findings = new Findings();
    block.check(vector, type, round, findings);
    return findings.errors();
  }

  @Test
  void singleWrongElementIsNamed() {
    Block block = Block.whole(1000, (index, round) -> index);
    long wrong = Memory.allocate(4, 4);
    try (Vector vector = Vector.of(null, DataType.INT32, 1000, Vector.Kind.DIRECT)) {
      block.fill(vector, DataType.INT32, 0);
      Memory.putInt(wrong, -7);
      vector.write(4 * 321, wrong, 4);
      Findings findings = new Findings();
      block.check(vector, DataType.INT32, 0, findings);
      assertEquals(1, findings.errors());
      assertEquals("element 321 is -7.0, expected 321.0", findings.first().orElseThrow());
    } finally {
      Memory.free(wrong);
    }
  }
}
