package io.jgloo.transport.ibverbs.verbs;

import io.jgloo.transport.memory.Memory;

/**
 * A completion channel and an eventfd that wakes the waiting thread, in one block of memory:
 *
 * <pre>
 *    0  ptr  struct ibv_comp_channel
 *    8  i64  1, which is written to the eventfd
 *   16  i64  what is read from it
 *   24  ptr  the queue of an event, from ibv_get_cq_event
 *   32  ptr  its cookie, likewise
 *   40  struct pollfd  of the channel: i32 fd, i16 events, i16 revents
 *   48  struct pollfd  of the eventfd
 *   56  struct timespec: i64 seconds, i64 nanoseconds
 * </pre>
 *
 * <p>The block's address is the handle. <i>Threads</i>: one at a time waits; any may wake or take.
 */
final class NativeChannel {

  private static final int BYTES = 72;
  private static final int ONE = 8;
  private static final int COUNT = 16;
  private static final int QUEUE = 24;
  private static final int COOKIE = 32;
  private static final int FILE = 40;
  private static final int WAKEUP = 48;
  private static final int TIMEOUT = 56;
  private static final int EVENTS = 4;
  private static final int FOUND = 6;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private NativeChannel() {}

  static long create(long context) throws VerbsException {
    long channel = Libibverbs.ibv_create_comp_channel(context);
    if (channel == 0) {
      throw Libibverbs.lastError("ibv_create_comp_channel");
    }
    int file = Memory.getInt(channel + Layout.CHANNEL_FILE);
    int wakeup = -1;
    try {
      doNotBlock(file);
      wakeup = Libibverbs.eventfd(0, Libibverbs.EFD_CLOEXEC_NONBLOCK);
      if (wakeup < 0) {
        throw Libibverbs.lastError("eventfd");
      }
      return block(channel, file, wakeup);
    } catch (VerbsException | RuntimeException | Error e) {
      if (wakeup >= 0) {
        Libibverbs.close(wakeup);
      }
      Libibverbs.ibv_destroy_comp_channel(channel);
      throw e;
    }
  }

  private static long block(long channel, int file, int wakeup) {
    long handle = Memory.allocate(BYTES, Long.BYTES);
    Memory.setZero(handle, BYTES);
    Memory.putLong(handle, channel);
    Memory.putLong(handle + ONE, 1);
    Memory.putInt(handle + FILE, file);
    Memory.putShort(handle + FILE + EVENTS, (short) Libibverbs.POLLIN);
    Memory.putInt(handle + WAKEUP, wakeup);
    Memory.putShort(handle + WAKEUP + EVENTS, (short) Libibverbs.POLLIN);
    return handle;
  }

  /** So that a take without an event fails with EAGAIN. */
  static void doNotBlock(int file) throws VerbsException {
    int flags = Libibverbs.fcntl(file, Libibverbs.F_GETFL, 0);
    if (flags < 0
        || Libibverbs.fcntl(file, Libibverbs.F_SETFL, flags | Libibverbs.O_NONBLOCK) < 0) {
      throw Libibverbs.lastError("fcntl");
    }
  }

  /** The C object. */
  static long object(long handle) {
    return handle == 0 ? 0 : Memory.getLong(handle);
  }

  /** Returns errno. */
  static int destroy(long handle) {
    int errno = Libibverbs.ibv_destroy_comp_channel(Memory.getLong(handle));
    Libibverbs.close(Memory.getInt(handle + WAKEUP));
    Memory.free(handle);
    return errno;
  }

  static int await(long handle, long timeoutNanos) {
    long nanos = Math.max(0, timeoutNanos);
    Memory.putLong(handle + TIMEOUT, nanos / NANOS_PER_SECOND);
    Memory.putLong(handle + TIMEOUT + Long.BYTES, nanos % NANOS_PER_SECOND);
    int ready = Libibverbs.ppoll(handle + FILE, 2, handle + TIMEOUT, 0);
    if (ready < 0) {
      int errno = Libibverbs.errno();
      return errno == Libibverbs.EINTR ? 0 : -errno;
    }
    if (ready == 0) {
      return 0;
    }
    if (Memory.getShort(handle + WAKEUP + FOUND) != 0) {
      Libibverbs.read(Memory.getInt(handle + WAKEUP), handle + COUNT, Long.BYTES);
    }
    return Memory.getShort(handle + FILE + FOUND) != 0 ? 1 : 0;
  }

  static void wakeup(long handle) {
    Libibverbs.write(Memory.getInt(handle + WAKEUP), handle + ONE, Long.BYTES);
  }

  static int take(long handle) {
    int result =
        Libibverbs.ibv_get_cq_event(Memory.getLong(handle), handle + QUEUE, handle + COOKIE);
    if (result == 0) {
      return 1;
    }
    int errno = Libibverbs.errno();
    return errno == VerbsException.EAGAIN || errno == Libibverbs.EINTR ? 0 : -errno;
  }
}
