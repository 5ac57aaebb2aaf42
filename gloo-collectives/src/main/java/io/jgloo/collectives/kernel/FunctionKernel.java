package io.jgloo.collectives.kernel;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.Reduction;
import io.jgloo.transport.memory.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A user's function on heap buffers, applied to memory some 8 KiB at a time.
 *
 * <p>It works on copies, so whatever it does it cannot write beyond its elements; the copies stay
 * in the first-level cache and cost less than calling it element by element would.
 *
 * <p><em>Threads</em>: any; a second one at the same time works on buffers made for the occasion.
 */
final class FunctionKernel implements Reduction {

  private static final int STAGE_BYTES = 8 << 10;

  private static final class Copy {
    private final byte[] bytes;
    private final ByteBuffer view;

    Copy(int length) {
      bytes = new byte[length];
      view = ByteBuffer.wrap(bytes);
    }

    ByteBuffer of(long address, int length) {
      Memory.copy(address, bytes, 0, length);
      return view.clear().limit(length).order(ByteOrder.nativeOrder());
    }
  }

  private record Stage(Copy first, Copy second) {}

  private final ReduceOp.Function function;
  private final DataType type;
  private final int granule;
  private final int stageBytes;
  private final boolean flipped;
  private final AtomicReference<Stage> idle = new AtomicReference<>();

  /**
   * @param width elements that belong together
   * @param flipped whether the source is the first operand
   */
  FunctionKernel(ReduceOp.Function function, DataType type, int width, boolean flipped) {
    this.function = function;
    this.type = type;
    this.flipped = flipped;
    granule = type.bytes() * width;
    stageBytes = Math.max(1, STAGE_BYTES / granule) * granule;
  }

  @Override
  public int granule() {
    return granule;
  }

  @Override
  public void reduce(long target, long source, long bytes) {
    if (bytes < 0 || bytes % granule != 0) {
      throw new IllegalArgumentException(
          "bytes " + bytes + " is not a multiple of the element's " + granule);
    }
    Stage stage = idle.getAndSet(null);
    if (stage == null) {
      stage = new Stage(new Copy(stageBytes), new Copy(stageBytes));
    }
    for (long done = 0; done < bytes; done += stageBytes) {
      int length = (int) Math.min(bytes - done, stageBytes);
      ByteBuffer first = stage.first().of((flipped ? source : target) + done, length);
      ByteBuffer second = stage.second().of((flipped ? target : source) + done, length);
      function.reduce(first, second, type);
      Memory.copy(stage.first().bytes, 0, target + done, length);
    }
    idle.setRelease(stage);
  }
}
