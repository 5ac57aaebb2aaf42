package io.jgloo.fault;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A collection of the heap that stops all threads until another process ends it: one thread reaches
 * no safepoint, as it runs a loop in which the compiler has left out the polls.
 */
final class LongCollection {

  /** Of the JVM: the compiler, and counted loops, that leave out the polls. */
  static final List<String> OPTIONS =
      List.of(
          "-XX:TieredStopAtLevel=4", "-XX:-UseCountedLoopSafepoints", "-XX:LoopStripMiningIter=0");

  private static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final int WARM_CALLS = 20_000;
  private static final Duration PATIENCE = Duration.ofSeconds(100);

  // Of the file, as longs: written by the other process, by the loop, by the collecting thread.
  private static final int END = 0;
  private static final int LOOPS = 8;
  private static final int COLLECTS = 16;
  private static final int BYTES = 24;

  private LongCollection() {}

  /** Begins one in a process; returns when its threads stop, or are about to. */
  static void begin(RankProcess process, Path file) throws IOException {
    Files.write(file, new byte[BYTES]);
    process.write("collect " + file);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (ByteBuffer.wrap(Files.readAllBytes(file)).getLong(COLLECTS) == 0) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("rank " + process.rank() + " does not collect");
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** Ends it. */
  static void end(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(Long.BYTES).putLong(0, 1), END);
    }
  }

  /**
   * Collects in this process; all threads are stopped until {@link #end}.
   *
   * @return how long that took, in milliseconds
   * @throws IllegalStateException if the collection was over before
   */
  static long run(Path file) throws IOException, InterruptedException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer words = channel.map(MapMode.READ_WRITE, 0, BYTES);
      ByteBuffer others = ByteBuffer.allocateDirect(BYTES);
      for (int i = 0; i < WARM_CALLS; i++) {
        loop(others, 100);
      }
      Thread loop = new Thread(() -> loop(words, Integer.MAX_VALUE), "loop");
      loop.start();
      while ((long) LONGS.getVolatile(words, LOOPS) == 0) {
        Thread.onSpinWait();
      }
      LONGS.setVolatile(words, COLLECTS, 1L);
      long start = System.nanoTime();
      System.gc();
      long took = System.nanoTime() - start;
      if ((long) LONGS.getVolatile(words, END) == 0) {
        throw new IllegalStateException("a collection of " + took + " ns was over too soon");
      }
      loop.join();
      return took / 1_000_000;
    }
  }

  /** Takes a minute or more if no word changes: each division needs the result before. */
  private static long loop(ByteBuffer words, int count) {
    long x = Long.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      LONGS.setVolatile(words, LOOPS, 1L);
      long divisor = 3 + (long) LONGS.getVolatile(words, END);
      if (divisor != 3) {
        break;
      }
      x = Long.MAX_VALUE - x / divisor / divisor / divisor / divisor;
      x = Long.MAX_VALUE - x / divisor / divisor / divisor / divisor;
      x = Long.MAX_VALUE - x / divisor / divisor / divisor / divisor;
      x = Long.MAX_VALUE - x / divisor / divisor / divisor / divisor;
    }
    return x;
  }
}
