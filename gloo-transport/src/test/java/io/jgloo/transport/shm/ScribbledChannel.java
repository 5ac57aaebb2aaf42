package io.jgloo.transport.shm;

import io.jgloo.transport.capability.Cells;
import java.nio.ByteBuffer;

/**
 * A channel that is used, and whose memory the peer writes into, as a program of bytes says. An
 * access outside the segment, or outside what a call was given, is an {@link AssertionError}.
 */
final class ScribbledChannel {

  static final int RING_BYTES = 4096;

  // What a program's instructions are; each is followed by its operands.
  static final int SET = 0; // word, 8 bytes: its value
  static final int ADD = 1; // word, 2 bytes: what is added
  static final int ADD_POWER = 2; // word, 1 byte: the exponent of what is added
  static final int READ = 3; // 2 bytes: most bytes
  static final int SKIP = 4; // 2 bytes: most bytes
  static final int WRITE = 5; // 2 bytes: bytes
  static final int PARK = 6; // 1 byte: whether for room
  static final int READ_CELL = 7;
  static final int WRITE_CELL = 8; // 2 bytes: length
  static final int LOG = 9; // 1 byte: number of a call
  private static final int INSTRUCTIONS = 10;

  /** Words from this one on are of the cells, all 8 bytes of them. */
  static final int FIRST_CELL_WORD = 64;

  private static final long TARGET = 1L << 40;
  private static final long CELLS = MemoryChannel.segmentBytes(RING_BYTES, false);

  private final BoundedMemory memory =
      new BoundedMemory(MemoryChannel.segmentBytes(RING_BYTES, true));
  private final MemoryChannel channel =
      new MemoryChannel(memory, false, RING_BYTES, true, () -> {});
  private final CellChannel cells = channel.cells();
  private final ByteBuffer program;

  private ScribbledChannel(byte[] program) {
    this.program = ByteBuffer.wrap(program);
  }

  /** Runs a program to its end, or to the exception that ends the pair. */
  static void run(byte[] program) {
    ScribbledChannel all = new ScribbledChannel(program);
    while (all.program.hasRemaining()) {
      all.step();
    }
  }

  /** Of a number that is not all there the rest is 0. */
  private long operand(int bytes) {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value = value << 8 | (program.hasRemaining() ? program.get() & 0xff : 0);
    }
    return value;
  }

  /** Words 0 to 31 are those of the rings, 128 bytes apart; the other ones are the cells'. */
  private long word() {
    int number = (int) operand(2);
    return number < FIRST_CELL_WORD
        ? MemoryChannel.WORDS + (long) MemoryChannel.LINE * (number & 31)
        : CELLS + (number - FIRST_CELL_WORD) % (CellChannel.BYTES / 8) * 8;
  }

  private void step() {
    switch ((int) operand(1) % INSTRUCTIONS) {
      case SET -> memory.putRelease(word(), operand(8));
      case ADD -> add(word(), (short) operand(2));
      case ADD_POWER -> add(word(), 1L << operand(1));
      case READ -> {
        int most = (int) operand(2);
        memory.allow(TARGET, most);
        check(channel.read(TARGET, most), most);
      }
      case SKIP -> {
        int there = channel.contiguous();
        check(there, RING_BYTES);
        memory.check(channel.address(), there);
        channel.skip(Math.min(there, (int) operand(2)));
      }
      case WRITE -> {
        int most = (int) operand(2);
        memory.allow(TARGET, most);
        check(channel.write(TARGET, most), most);
      }
      case PARK -> {
        channel.park(operand(1) != 0);
        channel.hasBytes();
        channel.hasRoom();
        channel.isRevoked();
        channel.unpark();
        channel.wake();
      }
      case READ_CELL -> readCell();
      case WRITE_CELL -> writeCell((int) operand(2) % (Cells.MAX_BYTES + 1));
      default -> {
        long call = operand(1);
        cells.hasLoggedOther(call, 1, 2);
        cells.log(call, 1, 2);
        cells.announced();
      }
    }
  }

  private void add(long word, long value) {
    memory.putRelease(word, memory.getAcquire(word) + value);
  }

  private static void check(long count, long most) {
    if (count < 0 || count > most) {
      throw new AssertionError(count + " of at most " + most + " bytes");
    }
  }

  private void readCell() {
    if (cells.hasCell()) {
      int length = cells.length();
      memory.check(cells.address(length), length);
      cells.high();
      cells.low();
      cells.free();
    }
  }

  private void writeCell(int length) {
    if (cells.hasRoom(length)) {
      memory.allow(TARGET, length);
      memory.check(cells.place(length), length);
      cells.write(TARGET, length);
      cells.publish(1, 2, length);
    }
  }
}
