package io.jgloo.transport.engine;

import com.sun.jna.Native;

/**
 * The cores the kernel may run the calling thread on, and whether it has to share them; by Linux's
 * {@code sched_setaffinity}, {@code getrusage} and related calls.
 *
 * <p><i>Threads</i>: only the thread that it describes. <i>Fails</i>: where the C library lacks
 * these calls nothing is available and {@link #absence} returns the cause.
 */
final class Cores {

  private static final System.Logger LOG = System.getLogger(Cores.class.getName());

  /** Bytes of a mask of 8192 cores, as many as kernels are built for. */
  private static final int MASK_BYTES = 1024;

  private static final int RUSAGE_THREAD = 1;

  /** Words of a {@code struct rusage}, with those that some C libraries add. */
  private static final int USAGE_WORDS = 34;

  /** Place of {@code ru_nivcsw} in it. */
  private static final int PREEMPTIONS = 17;

  private static final String ABSENCE = register();

  private final byte[] allowed = new byte[MASK_BYTES];
  private final byte[] others = new byte[MASK_BYTES];
  private final long[] usage = new long[USAGE_WORDS];

  private static String register() {
    try {
      Native.register(Cores.class, "c");
      return sched_getcpu() < 0 ? "sched_getcpu fails" : null;
    } catch (LinkageError e) {
      return e.toString();
    }
  }

  /** Why the calls cannot be made here, or null if they can. */
  static String absence() {
    return ABSENCE;
  }

  /** The core the calling thread runs on. */
  static int current() {
    return sched_getcpu();
  }

  /**
   * How often another thread has had the core while the calling thread could run, by its yields or
   * otherwise.
   */
  long preemptions() {
    return getrusage(RUSAGE_THREAD, usage) == 0 ? usage[PREEMPTIONS] : 0;
  }

  /**
   * Moves the calling thread to another of the cores it may run on, where the kernel may move it
   * again: what it is allowed is afterwards as before.
   *
   * @return whether there is another
   */
  boolean leave() {
    int core = current();
    if (core < 0 || core >= 8 * MASK_BYTES || sched_getaffinity(0, MASK_BYTES, allowed) < 0) {
      return false;
    }
    System.arraycopy(allowed, 0, others, 0, MASK_BYTES);
    others[core >> 3] &= (byte) ~(1 << (core & 7));
    if (sched_setaffinity(0, MASK_BYTES, others) != 0) {
      return false; // an empty set is refused
    }
    if (sched_setaffinity(0, MASK_BYTES, allowed) != 0) {
      LOG.log(System.Logger.Level.WARNING, "cannot allow core {0} to this thread again", core);
    }
    return true;
  }

  private static native int sched_getcpu();

  private static native int getrusage(int who, long[] usage);

  private static native int sched_getaffinity(int thread, long bytes, byte[] mask);

  private static native int sched_setaffinity(int thread, long bytes, byte[] mask);
}
