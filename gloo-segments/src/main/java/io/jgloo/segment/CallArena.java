package io.jgloo.segment;

import io.jgloo.collectives.Retainable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A shared arena that may be closed while calls use its segments: {@link #close} waits for them.
 *
 * <pre>{@code
 * CallArena arena = new CallArena();
 * MemorySegment x = arena.allocate(ValueLayout.JAVA_FLOAT, 1000);
 * group.async().allreduce(Segments.of(x, DataType.FLOAT32, arena), ReduceOp.SUM);
 * }</pre>
 *
 * <p>Rejected alternative: a cleanup action that waits, added to any arena by {@link
 * MemorySegment#reinterpret(Arena, java.util.function.Consumer)}. Confined arenas of Java 25 free
 * memory before they run it.
 *
 * <p><em>Threads</em>: any.
 */
public final class CallArena implements Arena {

  private final Arena arena = Arena.ofShared();
  private final Calls calls = new Calls();

  /** An arena without segments. */
  public CallArena() {}

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    return arena.allocate(byteSize, byteAlignment);
  }

  @Override
  public MemorySegment.Scope scope() {
    return arena.scope();
  }

  /**
   * Refuses further calls by an {@code IllegalStateException}, waits until those that use its
   * segments have ended, and frees the memory. A function that a call applies must not close it.
   *
   * @throws IllegalStateException if it is closed
   */
  @Override
  public void close() {
    calls.end();
    arena.close();
  }

  /** What keeps the memory of segments while a call runs. */
  Retainable calls() {
    return calls;
  }

  private static final class Calls implements Retainable {
    private int count;
    private boolean ended;

    @Override
    public synchronized void retain() {
      if (ended) {
        throw new IllegalStateException("arena of the payload is closed");
      }
      count++;
    }

    @Override
    public synchronized void release() {
      count--;
      notifyAll();
    }

    synchronized void end() {
      ended = true;
      boolean interrupted = false;
      while (count > 0) {
        try {
          wait();
        } catch (InterruptedException e) {
          interrupted = true; // the memory is in use all the same
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
