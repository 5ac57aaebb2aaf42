package io.jgloo.transport.shm;

import io.jgloo.transport.FuzzContract;
import io.jgloo.transport.FuzzTarget;
import io.jgloo.transport.ProtocolException;
import java.util.Arrays;
import java.util.List;

/** Offers of shared memory and answers to them, for any bytes. */
final class SegmentFuzzTest extends FuzzContract {

  @Override
  protected List<FuzzTarget> targets() {
    return List.of(
        FuzzTarget.of(
            "segment-offer",
            ProtocolException.class,
            new SegmentOffer(true, true, 7, Segment.MIN_RING_BYTES, "/dev/shm/x").encode(),
            SegmentOffer::decode),
        FuzzTarget.of(
            "segment-answer",
            ProtocolException.class,
            SegmentAnswer.declined("another host").encode(),
            SegmentFuzzTest::answer));
  }

  /** As it is read from a connection: the fixed part tells how long the whole is. */
  private static void answer(byte[] input) {
    int length = SegmentAnswer.length(Arrays.copyOf(input, SegmentAnswer.FIXED_BYTES));
    SegmentAnswer.decode(Arrays.copyOf(input, length));
  }
}
