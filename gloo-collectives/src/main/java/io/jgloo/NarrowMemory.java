package io.jgloo;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.Retainable;
import io.jgloo.collectives.execution.Staged;
import io.jgloo.collectives.kernel.Narrowing;
import io.jgloo.transport.memory.Memory;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A vector of float32 as one of float16 or bfloat16: what is loaded is rounded, what is stored is
 * widened.
 *
 * <p><em>Threads</em>: any, as far as the elements allow.
 */
final class NarrowMemory implements Staged, Retainable {

  private static final long PIECE_BYTES = 8 << 10;

  private final Payload wide;
  private final Payload[] parts;
  private final Narrowing narrowing;
  private final @Nullable ByteBuffer room; // for a piece of memory without an address

  private NarrowMemory(Payload wide, Narrowing narrowing) {
    this.wide = wide;
    parts = new Payload[] {wide};
    this.narrowing = narrowing;
    room = wide.staged() ? ByteBuffer.allocateDirect((int) (2 * PIECE_BYTES)) : null;
  }

  /** See {@link Payload#narrowed}. */
  static Payload of(Payload wide, DataType type) {
    Narrowing narrowing = Narrowing.of(Arguments.present("type", type));
    if (wide.type() != DataType.FLOAT32) {
      throw new IllegalArgumentException("only float32 can be narrowed, not " + wide);
    }
    return new Payload(type, wide.count(), new NarrowMemory(wide, narrowing));
  }

  /** The vector itself. */
  Payload wide() {
    return wide;
  }

  @Override
  public boolean changesWhatPasses() {
    return true;
  }

  @Override
  public void retain() {
    Payload.retain(parts);
  }

  @Override
  public void release() {
    Payload.release(parts);
  }

  @Override
  public void load(long offset, long target, long bytes) {
    if (room == null) {
      narrowing.narrow(target, wide.region().address() + 2 * offset, bytes);
      return;
    }
    synchronized (room) {
      long address = Memory.addressOf(room);
      for (long done = 0; done < bytes; done += PIECE_BYTES) {
        long piece = Math.min(PIECE_BYTES, bytes - done);
        wide.region().load(2 * (offset + done), address, 2 * piece);
        narrowing.narrow(target + done, address, piece);
      }
    }
  }

  @Override
  public void store(long source, long offset, long bytes) {
    if (room == null) {
      narrowing.widen(wide.region().address() + 2 * offset, source, bytes);
      return;
    }
    synchronized (room) {
      long address = Memory.addressOf(room);
      for (long done = 0; done < bytes; done += PIECE_BYTES) {
        long piece = Math.min(PIECE_BYTES, bytes - done);
        narrowing.widen(address, source + done, piece);
        wide.region().store(address, 2 * (offset + done), 2 * piece);
      }
    }
  }

  @Override
  public String toString() {
    return "narrowed " + wide;
  }
}
