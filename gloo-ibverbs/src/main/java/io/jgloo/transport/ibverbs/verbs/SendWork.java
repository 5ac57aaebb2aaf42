package io.jgloo.transport.ibverbs.verbs;

import io.jgloo.transport.memory.Memory;

/**
 * A work request for a send queue with its one memory range, as {@code struct ibv_send_wr} and
 * {@code struct ibv_sge} lie in memory on 64-bit machines:
 *
 * <pre>
 *    0  u64  wr_id
 *    8  ptr  next          0 in the last of a chain
 *   16  ptr  sg_list       the range below
 *   24  i32  num_sge       0 or 1
 *   28  i32  opcode
 *   32  u32  send_flags
 *   36  u32  imm_data
 *   40  u64  remote_addr   RDMA only
 *   48  u32  rkey          RDMA only
 *   52  ..   what other kinds of queue pairs need, up to 128
 *  128  u64  addr          the range: of this process
 *  136  u32  length
 *  140  u32  lkey          not looked at when inline
 * </pre>
 */
public final class SendWork {

  /** Bytes of a request with its range. */
  public static final int BYTES = 144;

  public static final int RDMA_WRITE = 0;
  public static final int RDMA_WRITE_WITH_IMMEDIATE = 1;
  public static final int SEND = 2;
  static final int SEND_WITH_IMMEDIATE = 3;
  public static final int RDMA_READ = 4;

  /** Waits for earlier reads. */
  static final int FENCE = 1;

  /** Its completion is reported by an entry in the completion queue. */
  public static final int SIGNALED = 2;

  /** The bytes are taken before posting returns. */
  public static final int INLINE = 8;

  private static final int RANGE = 128;

  private SendWork() {}

  /** Writes a whole request with no remote part, last of its chain. */
  public static void write(
      long at, long id, int opcode, int flags, int immediate, long address, int length, int key) {
    Memory.putLong(at, id);
    Memory.putLong(at + 8, 0);
    Memory.putLong(at + 16, at + RANGE);
    Memory.putInt(at + 24, length == 0 ? 0 : 1);
    Memory.putInt(at + 28, opcode);
    Memory.putInt(at + 32, flags);
    Memory.putInt(at + 36, immediate);
    Memory.putLong(at + 40, 0);
    Memory.putInt(at + 48, 0);
    Memory.putLong(at + RANGE, address);
    Memory.putInt(at + RANGE + 8, length);
    Memory.putInt(at + RANGE + 12, key);
  }

  /** Sets where in the peer's memory an RDMA request writes or reads. */
  public static void remote(long at, long address, int key) {
    Memory.putLong(at + 40, address);
    Memory.putInt(at + 48, key);
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

  static int opcode(long at) {
    return Memory.getInt(at + 28);
  }

  static int flags(long at) {
    return Memory.getInt(at + 32);
  }

  static int immediate(long at) {
    return Memory.getInt(at + 36);
  }

  static long remoteAddress(long at) {
    return Memory.getLong(at + 40);
  }

  static int remoteKey(long at) {
    return Memory.getInt(at + 48);
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
