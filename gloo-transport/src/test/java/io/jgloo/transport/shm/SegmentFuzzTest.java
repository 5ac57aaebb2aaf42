package io.jgloo.transport.shm;

import io.jgloo.transport.FuzzContract;
import io.jgloo.transport.FuzzTarget;
import io.jgloo.transport.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** Offers of shared memory, answers to them, and what a peer writes into it, for any bytes. */
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
            SegmentFuzzTest::answer),
        FuzzTarget.of(
            "extent-offer",
            ProtocolException.class,
            new ExtentOffer(true, 7, 4096, new UUID(1, 2), "/dev/shm/x").encode(),
            ExtentOffer::decode),
        FuzzTarget.of("segment-words", ProtocolException.class, program(), ScribbledChannel::run));
  }

  /** Bytes through both rings and cells in both directions, as an honest peer has it. */
  private static byte[] program() {
    int cells = ScribbledChannel.FIRST_CELL_WORD;
    int in = cells; // the peer has made the segment, so its cells are first
    int stamp = in + 768 / 8;
    ByteBuffer out = ByteBuffer.allocate(200);
    out.put((byte) ScribbledChannel.ADD).putShort((short) 2).putShort((short) 100);
    out.put((byte) ScribbledChannel.READ).putShort((short) 60);
    out.put((byte) ScribbledChannel.ADD).putShort((short) 2).putShort((short) 4000);
    out.put((byte) ScribbledChannel.SKIP).putShort((short) 4000);
    out.put((byte) ScribbledChannel.READ).putShort((short) 60);
    out.put((byte) ScribbledChannel.WRITE).putShort((short) 5000);
    out.put((byte) ScribbledChannel.PARK).put((byte) 1);
    out.put((byte) ScribbledChannel.ADD).putShort((short) 5).putShort((short) 2000);
    out.put((byte) ScribbledChannel.WRITE).putShort((short) 5000);
    out.put((byte) ScribbledChannel.WRITE_CELL).putShort((short) 80);
    out.put((byte) ScribbledChannel.WRITE_CELL).putShort((short) 8000);
    out.put((byte) ScribbledChannel.SET).putShort((short) (stamp + 1)).putLong(80);
    out.put((byte) ScribbledChannel.SET).putShort((short) (stamp + 4)).putLong(1);
    out.put((byte) ScribbledChannel.SET).putShort((short) stamp).putLong(1);
    out.put((byte) ScribbledChannel.READ_CELL);
    out.put((byte) ScribbledChannel.LOG).put((byte) 3);
    return Arrays.copyOf(out.array(), out.position());
  }

  /** As it is read from a connection: the fixed part tells how long the whole is. */
  private static void answer(byte[] input) {
    int length = SegmentAnswer.length(Arrays.copyOf(input, SegmentAnswer.FIXED_BYTES));
    SegmentAnswer.decode(Arrays.copyOf(input, length));
  }
}
