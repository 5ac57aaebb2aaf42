package io.jgloo.transport.ibverbs.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.abort;

import io.jgloo.transport.memory.Memory;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Both ways to a driver's functions reach the right one with the right arguments. */
@Timeout(60)
final class DriverCallsTest {

  private static final int TEXT = 8;

  @Test
  void theTableReachesTheDriver() {
    reaches(new TableCalls());
  }

  @Test
  void theTableNoticesAnotherDriver() {
    TableCalls calls = new TableCalls();
    reaches(calls);
    try (FakeDriver other = new FakeDriver("labs", "labs", "labs", "labs")) {
      assertEquals(Math.abs((int) other.object), Math.abs(calls.requestEvent(other.object)));
    }
    reaches(calls);
  }

  @Test
  void theShimReachesTheDriver() {
    try {
      reaches(ShimCalls.bind());
    } catch (IOException | LinkageError | UnsupportedOperationException e) {
      abort("no native library: " + e);
    }
  }

  /**
   * Each argument decides the result: two addresses and a length, or an address, a byte, a length.
   */
  private static void reaches(DriverCalls calls) {
    try (FakeDriver driver = new FakeDriver("memcmp", "memcmp", "memchr", "memchr");
        FakeDriver same = new FakeDriver("memcmp", "memcmp", "memchr", "memchr");
        FakeDriver text = new FakeDriver("labs", "labs", "labs", "strchr")) {
      long object = driver.object;
      Memory.putLong(same.object, Memory.getLong(object));
      int rare = absentFrom(object);
      Memory.putByte(object + TEXT + 3, (byte) rare);
      Memory.putByte(same.object + TEXT + 3, (byte) (rare + 1));
      assertEquals(0, calls.postSend(object, same.object, TEXT + 3));
      assertEquals(-1, Integer.signum(calls.postSend(object, same.object, TEXT + 4)));
      assertEquals(0, calls.postReceive(object, same.object, TEXT + 3));
      assertEquals(-1, Integer.signum(calls.postReceive(object, same.object, TEXT + 4)));
      assertEquals((int) (object + TEXT + 3), calls.poll(object, rare, 64));
      assertEquals(0, calls.poll(object, rare, TEXT));
      long end = text.object;
      while (Memory.getByte(end) != 0) {
        end++;
      }
      assertEquals((int) end, calls.requestEvent(text.object));
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
