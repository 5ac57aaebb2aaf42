package io.jgloo.transport.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong writes are found where memory is guarded. */
@Timeout(60)
class MemoryGuardTest {

  private static void use(int bytes, LongConsumer use, LongConsumer useFreed) {
    try (GuardedMemory guard = new GuardedMemory()) {
      long address = Memory.allocate(bytes, Memory.CACHE_LINE);
      assertEquals(0, address % Memory.CACHE_LINE);
      use.accept(address);
      Memory.free(address);
      useFreed.accept(address);
      for (int i = 0; i < 100; i++) {
        Memory.free(Memory.allocate(8, 8)); // until it is given back
      }
      guard.check();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 13, 4096, 100_001})
  void writesInsideABlock_areFine(int bytes) {
    use(bytes, address -> Memory.setZero(address, bytes), address -> {});
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 13, 4096, 100_001})
  void wrongWrites_areFound(int bytes) {
    LongConsumer nothing = address -> {};
    LongConsumer before = address -> Memory.putByte(address - 1, (byte) 1);
    LongConsumer behind = address -> Memory.putByte(address + bytes, (byte) 1);
    LongConsumer inside = address -> Memory.putByte(address + bytes - 1, (byte) 1);
    assertThrows(AssertionError.class, () -> use(bytes, before, nothing));
    assertThrows(AssertionError.class, () -> use(bytes, behind, nothing));
    assertThrows(AssertionError.class, () -> use(bytes, nothing, inside));
  }

  @Test
  void secondFree_isRefused() {
    try (GuardedMemory guard = new GuardedMemory()) {
      long address = Memory.allocate(10, 8);
      Memory.free(address);
      assertThrows(IllegalArgumentException.class, () -> Memory.free(address));
      guard.check();
    }
  }
}
