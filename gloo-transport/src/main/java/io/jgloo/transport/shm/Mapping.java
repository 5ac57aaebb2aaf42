package io.jgloo.transport.shm;

import io.jgloo.transport.memory.Memory;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;

/**
 * A file mapped into this process, unmapped on demand.
 *
 * <p>Up to Java 21 by {@code Unsafe.invokeCleaner}, from 22 on by an {@code Arena}; both by name.
 *
 * <p><i>Owns</i>: the mapping. <i>Threads</i>: the caller sees to it that no thread uses the memory
 * when it is closed.
 */
final class Mapping implements AutoCloseable {

  private static final int FIRST_ARENA_RELEASE = 22;

  private final long address;
  private final AutoCloseable unmapping;

  private Mapping(long address, AutoCloseable unmapping) {
    this.address = address;
    this.unmapping = unmapping;
  }

  /** Maps the first bytes of a file, which has at least so many. */
  static Mapping of(FileChannel file, long bytes) throws IOException {
    try {
      return Runtime.version().feature() >= FIRST_ARENA_RELEASE
          ? inArena(file, bytes)
          : asBuffer(file, bytes);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IOException("cannot map a file on Java " + Runtime.version(), e);
    }
  }

  private static Mapping inArena(FileChannel file, long bytes)
      throws IOException, ReflectiveOperationException {
    Class<?> arenas = Class.forName("java.lang.foreign.Arena");
    Object arena = arenas.getMethod("ofShared").invoke(null);
    boolean mapped = false;
    try {
      Object segment =
          FileChannel.class
              .getMethod("map", MapMode.class, long.class, long.class, arenas)
              .invoke(file, MapMode.READ_WRITE, 0L, bytes, arena);
      Class<?> segments = Class.forName("java.lang.foreign.MemorySegment");
      long address = (long) segments.getMethod("address").invoke(segment);
      mapped = true;
      return new Mapping(address, (AutoCloseable) arena);
    } finally {
      if (!mapped) {
        arenas.getMethod("close").invoke(arena);
      }
    }
  }

  private static Mapping asBuffer(FileChannel file, long bytes) throws IOException {
    MappedByteBuffer buffer = file.map(MapMode.READ_WRITE, 0, bytes);
    return new Mapping(Memory.addressOf(buffer), () -> clean(buffer));
  }

  private static void clean(MappedByteBuffer buffer) throws ReflectiveOperationException {
    Class<?> type = Class.forName("sun.misc.Unsafe");
    Field singleton = type.getDeclaredField("theUnsafe");
    singleton.setAccessible(true);
    type.getMethod("invokeCleaner", ByteBuffer.class).invoke(singleton.get(null), buffer);
  }

  long address() {
    return address;
  }

  @Override
  public void close() {
    try {
      unmapping.close();
    } catch (Exception e) {
      throw new IllegalStateException("cannot unmap memory", e);
    }
  }
}
