package io.jgloo.transport.ibverbs.verbs;

import io.jgloo.transport.memory.Memory;

/**
 * A work request for a receive queue with its one memory range, as {@code struct ibv_recv_wr} and
 * {@code struct ibv_sge} lie in memory on 64-bit machines:
 *
 * <pre>
 *    0  u64  wr_id
 *    8  ptr  next      0 in the last of a chain
 *   16  ptr  sg_list   the range below
 *   24  i32  num_sge   0 or 1
 *   28  i32  0
 *   32  u64  addr      the range
 *   40  u32  length
 *   44  u32  lkey
 * </pre>
 */
public final class ReceiveWork {

  /** Bytes of a request with its range. */
  public static final int BYTES = 48;

  private static final int RANGE = 32;

  private ReceiveWork() {}

  /** Writes a whole request, last of its chain. */
  public static void write(long at, long id, long address, int length, int key) {
    Memory.putLong(at, id);
    Memory.putLong(at + 8, 0);
    Memory.putLong(at + 16, at + RANGE);
    Memory.putInt(at + 24, length == 0 ? 0 : 1);
    Memory.putInt(at + 28, 0);
    Memory.putLong(at + RANGE, address);
    Memory.putInt(at + RANGE + 8, length);
    Memory.putInt(at + RANGE + 12, key);
  }

  /** Links a request to the one posted behind it. */
  public static void next(long at, long next) {
    Memory.putLong(at + 8, next);
  }

  static long id(long at) {
    return Memory.getLong(at);
  }

  public static long next(long at) {
    return Memory.getLong(at + 8);
  }

  static long address(long at) {
    return Memory.getLong(Memory.getLong(at + 16));
  }

  /** Bytes of the range; 0 if there is none. */
  static int length(long at) {
    return Memory.getInt(at + 24) == 0 ? 0 : Memory.getInt(Memory.getLong(at + 16) + 8);
  }

  static int localKey(long at) {
    return Memory.getInt(Memory.getLong(at + 16) + 12);
  }
}
