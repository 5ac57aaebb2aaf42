package io.jgloo.collectives.kernel;

import java.util.concurrent.atomic.AtomicReference;

/**
 * A loop over arrays, applied to memory 8 KiB at a time.
 *
 * <p>C2 vectorises loops over arrays and none over addresses; two copies in and one out of arrays
 * that stay in the first-level cache cost less than that gains: 14-25 GB/s on float sums, against
 * 8-12 for a plain loop over addresses.
 *
 * @param carrier the arrays the loop works on; its element may be smaller than the data type's
 * @param loop the arithmetic
 */
record ArrayKernel<A>(Carrier<A> carrier, ArrayLoop<A> loop) {

  private static final int STAGE_BYTES = 8 << 10;

  /** The loop over memory; keeps one pair of arrays, so each kernel makes its own. */
  Loop staged() {
    return new Staged<>(this);
  }

  private record Stage<A>(A target, A source) {
    static <A> Stage<A> of(Carrier<A> carrier) {
      int length = STAGE_BYTES / carrier.bytes();
      return new Stage<>(carrier.array().apply(length), carrier.array().apply(length));
    }
  }

  /** <i>Threads</i>: any; a second one at the same time works on arrays made for the occasion. */
  private static final class Staged<A> implements Loop {

    private final Carrier<A> carrier;
    private final ArrayLoop<A> loop;
    private final AtomicReference<Stage<A>> idle = new AtomicReference<>();

    Staged(ArrayKernel<A> kernel) {
      carrier = kernel.carrier();
      loop = kernel.loop();
    }

    @Override
    public void apply(long target, long source, long bytes) {
      Stage<A> stage = idle.getAndSet(null);
      if (stage == null) {
        stage = Stage.of(carrier);
      }
      for (long done = 0; done < bytes; done += STAGE_BYTES) {
        int count = (int) Math.min(bytes - done, STAGE_BYTES) / carrier.bytes();
        carrier.load().apply(target + done, stage.target(), count);
        carrier.load().apply(source + done, stage.source(), count);
        loop.apply(stage.target(), stage.source(), count);
        carrier.store().apply(stage.target(), target + done, count);
      }
      idle.setRelease(stage);
    }
  }
}
