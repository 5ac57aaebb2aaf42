package io.jgloo.collectives.kernel;

import java.util.concurrent.atomic.AtomicReference;

/**
 * A loop over part of an array, applied to memory 8 KiB at a time, as {@link ArrayKernel} applies
 * one over two.
 *
 * <p><em>Threads</em>: any; a second one at the same time works on an array made for the occasion.
 */
final class ArrayScaling<A> implements Scaling {

  /** Replaces some elements of an array. */
  @FunctionalInterface
  interface Each<A> {
    void apply(A array, int from, int to);
  }

  private static final int STAGE_BYTES = 8 << 10;

  private final Carrier<A> carrier;
  private final Each<A> loop;
  private final AtomicReference<A> idle = new AtomicReference<>();

  ArrayScaling(Carrier<A> carrier, Each<A> loop) {
    this.carrier = carrier;
    this.loop = loop;
  }

  @Override
  public void apply(long address, long bytes) {
    A stage = idle.getAndSet(null);
    if (stage == null) {
      stage = carrier.array().apply(STAGE_BYTES / carrier.bytes());
    }
    for (long done = 0; done < bytes; done += STAGE_BYTES) {
      int count = (int) Math.min(bytes - done, STAGE_BYTES) / carrier.bytes();
      carrier.load().apply(address + done, stage, count);
      loop.apply(stage, 0, count);
      carrier.store().apply(stage, address + done, count);
    }
    idle.setRelease(stage);
  }

  @Override
  public boolean appliesTo(Object array) {
    return carrier.type().isInstance(array);
  }

  @Override
  public void apply(Object array, long offset, long bytes) {
    int from = (int) (offset / carrier.bytes());
    loop.apply(carrier.type().cast(array), from, from + (int) (bytes / carrier.bytes()));
  }
}
