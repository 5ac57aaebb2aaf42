package io.jgloo.transport.ibverbs.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.abort;

import io.jgloo.transport.memory.Memory;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The calls reach the right function of a driver with the right arguments. */
@Timeout(60)
final class DriverCallsTest {

  private static final int TEXT = 8;

  @BeforeAll
  static void bind() {
    try {
      DriverCalls.bind();
    } catch (IOException | LinkageError | UnsupportedOperationException e) {
      abort("no native library: " + e);
    }
  }

  /**
   * Each argument decides the result: two addresses and a length, or an address, a byte, a length.
   */
  @Test
  void callsReachTheDriver() {
    try (FakeDriver driver = new FakeDriver("memcmp", "memcmp", "memchr", "memchr");
        FakeDriver same = new FakeDriver("memcmp", "memcmp", "memchr", "memchr");
        FakeDriver text = new FakeDriver("labs", "labs", "labs", "strchr")) {
      long object = driver.object;
      Memory.putLong(same.object, Memory.getLong(object));
      int rare = absentFrom(object);
      Memory.putByte(object + TEXT + 3, (byte) rare);
      Memory.putByte(same.object + TEXT + 3, (byte) (rare + 1));
      assertEquals(0, DriverCalls.postSend(object, same.object, TEXT + 3));
      assertEquals(-1, Integer.signum(DriverCalls.postSend(object, same.object, TEXT + 4)));
      assertEquals(0, DriverCalls.postReceive(object, same.object, TEXT + 3));
      assertEquals(-1, Integer.signum(DriverCalls.postReceive(object, same.object, TEXT + 4)));
      assertEquals((int) (object + TEXT + 3), DriverCalls.poll(object, rare, 64));
      assertEquals(0, DriverCalls.poll(object, rare, TEXT));
      long end = text.object;
      while (Memory.getByte(end) != 0) {
        end++;
      }
      assertEquals((int) end, DriverCalls.requestEvent(text.object));
    }
  }

  /** A byte that the pointer an object begins with does not have. */
  private static int absentFrom(long object) {
    int value = 1;
    for (int i = 0; i < TEXT; i++) {
      if (Memory.getByte(object + i) == value) {
        value++;
        i = -1;
      }
    }
    return value;
  }
}
