package io.jgloo.transport.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.transport.library.JniCalls;
import io.jgloo.transport.memory.Memory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Copies into a segment: all bytes and no others, and past the caches when plain ones are slow. */
@Timeout(60)
class SegmentCopyTest {

  private static final int ROOM = 1 << 16;
  private static final int BYTES = SegmentCopy.LEAST_BYTES;

  private long source;
  private long target;
  private long nanos;
  private long step;

  @BeforeEach
  void allocate() {
    assumeTrue(JniCalls.isAvailable(), "no native library");
    source = Memory.allocate(ROOM, Memory.CACHE_LINE);
    target = Memory.allocate(ROOM, Memory.CACHE_LINE);
    for (int at = 0; at < ROOM; at++) {
      Memory.putByte(source + at, (byte) (1 + at % 127));
    }
  }

  @AfterEach
  void free() {
    if (source != 0) {
      Memory.free(source);
      Memory.free(target);
    }
  }

  private void check(int from, int to, int bytes) {
    for (int at = 0; at < ROOM; at++) {
      boolean copied = at >= to && at < to + bytes;
      byte expected = copied ? Memory.getByte(source + from + (at - to)) : 0;
      if (expected != Memory.getByte(target + at)) {
        assertEquals(expected, Memory.getByte(target + at), from + " " + to + " " + bytes);
      }
    }
  }

  @Test
  void pastTheCaches_allBytesAndNoOthers() {
    int[] lengths = {0, 1, 15, 16, 63, 64, 65, 127, 128, 129, 191, 300, 4096, 8191, 40_000};
    for (int length : lengths) {
      for (int shift : new int[] {0, 1, 8, 16, 33, 63}) {
        Memory.setZero(target, ROOM);
        int to = 64 + (7 * shift) % 64;
        JniCalls.streamingCopy(source + shift, target + to, length);
        check(shift, to, length);
      }
    }
  }

  private long clock() {
    nanos += step;
    return nanos;
  }

  private void copy(SegmentCopy copies, int bytes) {
    Memory.setZero(target, ROOM);
    copies.copy(source + 3, target + 5, bytes);
    check(3, 5, bytes);
  }

  private void timed(SegmentCopy copies, int bytesPerNano) {
    step = BYTES / bytesPerNano;
    long before = nanos;
    copy(copies, BYTES);
    assertEquals(2 * step, nanos - before, "it was not timed");
  }

  private void untimed(SegmentCopy copies, int count) {
    long before = nanos;
    for (int i = 0; i < count; i++) {
      copy(copies, BYTES);
    }
    assertEquals(before, nanos, "it was timed");
  }

  private void streams(SegmentCopy copies) {
    for (int pair = 0; pair < 2; pair++) {
      assertFalse(copies.streams(), "it may be chance");
      timed(copies, 7);
      assertFalse(copies.streams(), "nothing was compared");
      timed(copies, 50);
    }
    assertTrue(copies.streams());
  }

  @Test
  void afterTwoPairsWithASlowPlainCopy_pastTheCaches() {
    SegmentCopy copies = new SegmentCopy(this::clock);
    for (int i = 0; i < 3; i++) {
      copy(copies, BYTES - 1);
    }
    assertEquals(0, nanos, "short ones are not timed");
    streams(copies);
  }

  @Test
  void pastTheCaches_untilAPlainCopyIsFast() {
    SegmentCopy copies = new SegmentCopy(this::clock);
    streams(copies);
    for (int turn = 0; turn < 2; turn++) {
      untimed(copies, SegmentCopy.STREAMED);
      assertTrue(copies.streams());
      timed(copies, 7);
      timed(copies, 50);
      assertTrue(copies.streams(), "it is slow still");
    }
    untimed(copies, SegmentCopy.STREAMED);
    timed(copies, SegmentCopy.BYTES_PER_NANO);
    assertFalse(copies.streams());
    untimed(copies, SegmentCopy.TIMED_ONE_OF - 1);
    streams(copies); // slow ones are counted anew after a fast one
  }
}
