package io.jgloo.transport.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Holds raw memory access to its promises on whichever JDK runs the test. */
@Timeout(60)
class MemoryTest {

  private long allocatedBefore;
  private long block;

  @BeforeEach
  void allocate() {
    allocatedBefore = Memory.allocatedBytes();
    block = Memory.allocate(4096, Memory.CACHE_LINE);
    Memory.setZero(block, 4096);
  }

  @AfterEach
  void free() {
    Memory.free(block);
    assertEquals(allocatedBefore, Memory.allocatedBytes(), "leaked bytes");
  }

  @Test
  void allocationIsAlignedAndAccounted() {
    for (long alignment = 1; alignment <= 1 << 16; alignment <<= 1) {
      for (long bytes : new long[] {0, 1, 63, 64, 4097}) {
        long before = Memory.allocatedBytes();
        long address = Memory.allocate(bytes, alignment);
        assertEquals(0, address & (alignment - 1), "alignment " + alignment);
        assertEquals(before + bytes, Memory.allocatedBytes());
        Memory.free(address);
        assertEquals(before, Memory.allocatedBytes());
      }
    }
  }

  @Test
  void refusesWhatCannotBe() {
    assertThrows(IllegalArgumentException.class, () -> Memory.allocate(-1, 64));
    assertThrows(IllegalArgumentException.class, () -> Memory.allocate(8, 48));
    assertThrows(IllegalArgumentException.class, () -> Memory.allocate(8, 0));
    assertThrows(OutOfMemoryError.class, () -> Memory.allocate(Long.MAX_VALUE, 64));
    assertThrows(OutOfMemoryError.class, () -> Memory.allocate(Long.MAX_VALUE / 2, 64));
    assertThrows(IllegalArgumentException.class, () -> Memory.free(block + 1));
    long once = Memory.allocate(8, 64);
    Memory.free(once);
    assertThrows(IllegalArgumentException.class, () -> Memory.free(once), "second free");
    assertThrows(IllegalArgumentException.class, () -> Memory.addressOf(FloatBuffer.allocate(4)));
    assertThrows(IndexOutOfBoundsException.class, () -> Memory.copy(new float[4], 2, block, 3));
    assertThrows(IndexOutOfBoundsException.class, () -> Memory.copy(block, new byte[4], -1, 3));
  }

  @Test
  void findsEachOfMoreBuffersThanItRemembers() {
    FloatBuffer[] buffers = new FloatBuffer[5000];
    ByteBuffer whole = ByteBuffer.allocateDirect(8 * buffers.length).order(ByteOrder.nativeOrder());
    long start = Memory.addressOf(whole);
    for (int i = 0; i < buffers.length; i++) {
      buffers[i] = whole.slice(8 * i, 8).order(ByteOrder.nativeOrder()).asFloatBuffer();
    }
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < buffers.length; i++) {
        buffers[i].position(round % 2);
        assertEquals(start + 8L * i, Memory.addressOf(buffers[i]));
      }
    }
  }

  @Test
  void readsBackWhatWasWrittenAtAnyAlignment() {
    for (int shift = 0; shift < 9; shift++) {
      long address = block + 64 + shift;
      Memory.putByte(address, (byte) -7);
      assertEquals(-7, Memory.getByte(address));
      Memory.putShort(address, (short) 0x8123);
      assertEquals((short) 0x8123, Memory.getShort(address));
      Memory.putInt(address, 0x81234567);
      assertEquals(0x81234567, Memory.getInt(address));
      Memory.putLong(address, 0x8123456789abcdefL);
      assertEquals(0x8123456789abcdefL, Memory.getLong(address));
      int first = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? 0x81 : 0xef;
      assertEquals((byte) first, Memory.getByte(address), "native byte order");
      Memory.putFloat(address, -0.0f);
      assertEquals(0x80000000, Memory.getInt(address));
      assertEquals(-0.0f, Memory.getFloat(address));
      Memory.putDouble(address, Math.PI);
      assertEquals(Math.PI, Memory.getDouble(address));
    }
  }

  @Test
  void copiesLikeMemmove() {
    int length = 3 << 20;
    byte[] expected = new byte[length];
    new Random(1).nextBytes(expected);
    byte[] actual = new byte[length];
    long room = Memory.allocate(2L * length, 64);
    try {
      for (int distance : new int[] {length, 1, 4096, (1 << 20) + 5}) {
        Memory.copy(expected, 0, room, length);
        Memory.copy(room, room + distance, length);
        Memory.copy(room + distance, actual, 0, length);
        assertArrayEquals(expected, actual, "up by " + distance);
        Memory.copy(room + distance, room, length);
        Memory.copy(room, actual, 0, length);
        assertArrayEquals(expected, actual, "down by " + distance);
      }
    } finally {
      Memory.free(room);
    }
  }

  @Test
  void copiesFewBytesLikeMemmove() {
    byte[] all = new byte[400];
    new Random(1).nextBytes(all);
    byte[] found = new byte[all.length];
    long room = Memory.allocate(all.length, 64);
    try {
      for (int length = 0; length <= 100; length++) {
        for (int to = 100; to <= 300; to++) {
          Memory.copy(all, 0, room, all.length);
          Memory.copy(room + 200, room + to, length);
          Memory.copy(room, found, 0, all.length);
          byte[] expected = all.clone();
          System.arraycopy(all, 200, expected, to, length);
          assertArrayEquals(expected, found, length + " bytes from 200 to " + to);
        }
      }
    } finally {
      Memory.free(room);
    }
  }

  @Test
  void copiesArraysWithOffsets() {
    byte[] bytes = new byte[5];
    short[] shorts = new short[5];
    int[] ints = new int[5];
    long[] longs = new long[5];
    float[] floats = new float[5];
    double[] doubles = new double[5];
    long at = block + 3;
    Memory.copy(new byte[] {9, 1, 2, 3}, 1, at, 3);
    Memory.copy(at, bytes, 2, 3);
    assertArrayEquals(new byte[] {0, 0, 1, 2, 3}, bytes);
    Memory.copy(new short[] {9, 1, 2, 3}, 1, at, 3);
    Memory.copy(at, shorts, 2, 3);
    assertArrayEquals(new short[] {0, 0, 1, 2, 3}, shorts);
    Memory.copy(new int[] {9, 1, 2, 3}, 1, at, 3);
    Memory.copy(at, ints, 2, 3);
    assertArrayEquals(new int[] {0, 0, 1, 2, 3}, ints);
    Memory.copy(new long[] {9, 1, 2, 3}, 1, at, 3);
    Memory.copy(at, longs, 2, 3);
    assertArrayEquals(new long[] {0, 0, 1, 2, 3}, longs);
    Memory.copy(new float[] {9, 1, 2, 3}, 1, at, 3);
    Memory.copy(at, floats, 2, 3);
    assertArrayEquals(new float[] {0, 0, 1, 2, 3}, floats);
    Memory.copy(new double[] {9, 1, 2, 3}, 1, at, 3);
    Memory.copy(at, doubles, 2, 3);
    assertArrayEquals(new double[] {0, 0, 1, 2, 3}, doubles);
    assertEquals(3.0, Memory.getDouble(at + 16), "the copy ends where it should");
    assertEquals(0, Memory.getLong(at + 24));
  }

  @Test
  void addressOfADirectBufferIgnoresItsPosition() {
    ByteBuffer bytes = ByteBuffer.allocateDirect(256).order(ByteOrder.nativeOrder());
    long address = Memory.addressOf(bytes);
    bytes.putLong(8, 0x0102030405060708L);
    assertEquals(0x0102030405060708L, Memory.getLong(address + 8));
    bytes.position(16);
    assertEquals(address, Memory.addressOf(bytes));
    assertEquals(address, Memory.addressOf(bytes.asReadOnlyBuffer()));
    assertEquals(address + 16, Memory.addressOf(bytes.slice()));
    List<Buffer> views =
        List.of(
            bytes.asCharBuffer(),
            bytes.asShortBuffer(),
            bytes.asIntBuffer(),
            bytes.asLongBuffer(),
            bytes.asFloatBuffer(),
            bytes.asDoubleBuffer(),
            bytes.duplicate().order(ByteOrder.BIG_ENDIAN).asLongBuffer());
    for (Buffer view : views) {
      view.position(3);
      view.limit(5);
      assertEquals(address + 16, Memory.addressOf(view), view.toString());
    }
  }

  @Test
  void doesNotAllocateOnTheHeap() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    FloatBuffer buffer =
        ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder()).asFloatBuffer();
    float[] array = new float[16];
    long sum = 0;
    long fewest = Long.MAX_VALUE;
    // Compilation decides when allocation ends, and a busy machine when it is compiled: the
    // quietest of many rounds is judged.
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (fewest > 0 && System.nanoTime() - end < 0) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 20_000; i++) {
        sum += touch(buffer, array);
      }
      fewest = Math.min(fewest, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertTrue(sum != 0, "the loop did its work");
    assertEquals(0, fewest, "bytes allocated by 20,000 calls after warm-up");
  }

  private long touch(FloatBuffer buffer, float[] array) {
    Memory.putFloat(block, Memory.getFloat(block) + 1);
    Memory.copy(block, array, 0, 16);
    Memory.copy(array, 0, block + 64, 16);
    Memory.copy(block + 64, block + 128, 64);
    Memory.setZero(block + 192, 64);
    return Memory.addressOf(buffer) + Memory.getLong(block + 128) + Memory.getByte(block + 3);
  }
}
