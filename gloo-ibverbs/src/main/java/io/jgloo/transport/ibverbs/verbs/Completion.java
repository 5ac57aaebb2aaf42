package io.jgloo.transport.ibverbs.verbs;

import io.jgloo.transport.memory.Memory;

/**
 * An entry of a completion queue, as {@code struct ibv_wc} lies in memory on 64-bit machines:
 *
 * <pre>
 *    0  u64  wr_id       of the work request
 *    8  i32  status      {@link WorkStatus}
 *   12  i32  opcode      not valid unless the status is success, nor is anything below but qp_num
 *   16  u32  vendor_err
 *   20  u32  byte_len    receives only
 *   24  u32  imm_data
 *   28  u32  qp_num
 *   32  u32  src_qp
 *   36  u32  wc_flags
 *   40  ..   up to 48
 * </pre>
 */
public final class Completion {

  public static final int BYTES = 48;

  static final int SEND = 0;
  static final int RDMA_WRITE = 1;
  static final int RDMA_READ = 2;
  static final int RECEIVE = 128;

  /** The peer has written, with immediate; a posted receive was used up for it. */
  public static final int RECEIVE_RDMA_WITH_IMMEDIATE = 129;

  private Completion() {}

  static void write(
      long at, long id, int status, int opcode, int vendorError, int length, int imm, int pair) {
    Memory.putLong(at, id);
    Memory.putInt(at + 8, status);
    Memory.putInt(at + 12, opcode);
    Memory.putInt(at + 16, vendorError);
    Memory.putInt(at + 20, length);
    Memory.putInt(at + 24, imm);
    Memory.putInt(at + 28, pair);
    Memory.putLong(at + 32, 0);
    Memory.putLong(at + 40, 0);
  }

  public static long id(long at) {
    return Memory.getLong(at);
  }

  public static int status(long at) {
    return Memory.getInt(at + 8);
  }

  public static int opcode(long at) {
    return Memory.getInt(at + 12);
  }

  public static int vendorError(long at) {
    return Memory.getInt(at + 16);
  }

  public static int length(long at) {
    return Memory.getInt(at + 20);
  }

  public static int immediate(long at) {
    return Memory.getInt(at + 24);
  }

  static int pairNumber(long at) {
    return Memory.getInt(at + 28);
  }
}
