package io.jgloo.transport.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.ProtocolException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Positions of a ring that its other side cannot have. */
@Timeout(60)
class RingReaderTest {

  private static final long SIZE = 4096;
  private static final long TAIL = 0;
  private static final long HEAD = 128;
  private static final long DATA = 256;
  private static final long TARGET = 1000;

  private final BoundedMemory memory = new BoundedMemory(DATA + SIZE);

  /** Of a ring of which 10 bytes have been read and 6 are left. */
  @ParameterizedTest
  @ValueSource(
      longs = {
        Long.MIN_VALUE,
        Long.MIN_VALUE + 1,
        Long.MIN_VALUE + (1L << 28),
        Long.MAX_VALUE,
        -1,
        5,
        SIZE + 1,
        1L << 32
      })
  void tailThatTheWriterCannotHave_isRefused(long ahead) {
    RingReader reader = new RingReader(memory, TAIL, HEAD, DATA, SIZE);
    memory.allow(TARGET, 100);
    memory.putRelease(TAIL, 16);
    assertEquals(10, reader.read(TARGET, 10));
    memory.putRelease(TAIL, 10 + ahead);
    ProtocolException refused =
        assertThrows(ProtocolException.class, () -> reader.read(TARGET, 100));
    assertTrue(refused.getMessage().contains("the tail " + (10 + ahead)), refused::getMessage);
    memory.putRelease(TAIL, 10 + SIZE);
    assertEquals(100, reader.read(TARGET, 100));
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, Long.MIN_VALUE + 1, Long.MAX_VALUE, -1, SIZE, 1L << 32})
  void headThatTheReaderCannotHave_isRefused(long ahead) {
    RingWriter writer = new RingWriter(memory, TAIL, HEAD, DATA, SIZE);
    memory.allow(TARGET, SIZE);
    assertEquals(SIZE, writer.write(TARGET, (int) SIZE));
    memory.putRelease(HEAD, 10);
    assertTrue(writer.hasRoom());
    memory.putRelease(HEAD, 10 + ahead);
    assertThrows(ProtocolException.class, () -> writer.write(TARGET, 100));
  }

  @Test
  void fullRing_isRead() {
    RingReader reader = new RingReader(memory, TAIL, HEAD, DATA, SIZE);
    memory.allow(TARGET, SIZE);
    memory.putRelease(TAIL, SIZE);
    assertEquals(SIZE, reader.contiguous());
    assertEquals(SIZE, reader.read(TARGET, (int) SIZE));
    assertTrue(reader.publish());
  }
}
