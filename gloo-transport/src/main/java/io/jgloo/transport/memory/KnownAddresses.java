package io.jgloo.transport.memory;

import java.lang.invoke.MethodHandle;
import java.lang.ref.WeakReference;
import java.nio.Buffer;

/**
 * Remembers the addresses of buffers that were asked for lately.
 *
 * <p>{@code MemorySegment.ofBuffer} makes two objects, 72 bytes, which a compiler that does not
 * inline the whole of it really allocates (seen on JDK 25 where arrays were used as well). A buffer
 * never moves, so a buffer used again, as in every training loop, is looked up here instead.
 *
 * <p><i>Threads</i>: any; entries are immutable, and to miss one costs only the asking. <i>Owns</i>
 * no buffer: it is held weakly.
 */
final class KnownAddresses {

  private static final int ENTRIES = 1024;

  private static final class Entry extends WeakReference<Buffer> {
    final long address;

    Entry(Buffer buffer, long address) {
      super(buffer);
      this.address = address;
    }
  }

  private final Entry[] entries = new Entry[ENTRIES];
  private final MethodHandle ask;

  /**
   * @param ask {@code (Buffer)long}
   */
  KnownAddresses(MethodHandle ask) {
    this.ask = ask;
  }

  long of(Buffer buffer) throws Throwable {
    int index = System.identityHashCode(buffer) & (ENTRIES - 1);
    Entry entry = entries[index];
    if (entry != null && entry.refersTo(buffer)) {
      return entry.address;
    }
    long address = (long) ask.invokeExact(buffer);
    entries[index] = new Entry(buffer, address);
    return address;
  }
}
