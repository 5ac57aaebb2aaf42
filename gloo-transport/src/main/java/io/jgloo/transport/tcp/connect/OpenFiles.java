package io.jgloo.transport.tcp.connect;

import com.sun.management.UnixOperatingSystemMXBean;
import io.jgloo.transport.Device.FailureScope;
import io.jgloo.transport.Membership;
import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.tcp.socket.Sockets;
import io.jgloo.transport.tcp.stream.Settings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The descriptors that a mesh will open, compared with those that this process may have before any
 * is opened. What other meshes of the process have reserved and not opened yet counts too: each
 * rank of many in one process would find room for its own.
 *
 * <p><i>Threads</i>: any.
 */
public final class OpenFiles {

  private static final Logger LOG = System.getLogger(OpenFiles.class.getName());
  private static final int RESERVE = 16; // what else may be opened meanwhile
  private static final long PAIR_BYTES = 4 << 10; // of heap; 3.7 KiB by a histogram of 256 ranks

  /** By all meshes of this process, not opened yet. */
  private static final AtomicLong RESERVED = new AtomicLong();

  private final AtomicLong left;

  private OpenFiles(long files) {
    left = new AtomicLong(files);
  }

  /**
   * Reserves what a mesh will open.
   *
   * @throws UnavailableException with need and limit if this process may not have it
   */
  public static OpenFiles reserve(
      Membership membership, FailureScope scope, Settings settings, Sockets sockets) {
    checkHeap(membership, membership.size(), Runtime.getRuntime().maxMemory());
    if (!sockets.areFiles()) {
      return new OpenFiles(0); // the count is dear where meshes are many and live briefly
    }
    boolean lazy = settings.connecting().isLazy(membership.size(), scope, settings.wire());
    int peers = lazy ? 0 : membership.size() - 1; // few pairs of a lazy one are used
    return reserve(membership, (long) settings.connections() * peers);
  }

  public static OpenFiles reserve(Object what, long files) {
    OpenFiles reservation = new OpenFiles(files);
    long others = RESERVED.getAndAdd(files);
    try {
      if (ManagementFactory.getOperatingSystemMXBean()
          instanceof UnixOperatingSystemMXBean system) {
        long open = system.getOpenFileDescriptorCount();
        check(what, files, open, others, system.getMaxFileDescriptorCount());
      }
    } catch (InternalError e) {
      LOG.log(Level.DEBUG, "cannot count open files, /proc may be missing: {0}", e.toString());
    } catch (LinkageError e) { // the JDK's classes for the count need a descriptor themselves
      reservation.release();
      throw new UnavailableException(
          what
              + " cannot count its open files; this process may have too few (ulimit -n): "
              + (e.getCause() == null ? e : e.getCause().getMessage()),
          e);
    } catch (UnavailableException e) {
      reservation.release();
      throw e;
    }
    return reservation;
  }

  /**
   * Refuses a mesh whose pairs, connected or not, would fill the heap.
   *
   * @throws UnavailableException with need and limit
   */
  public static void checkHeap(Object what, int pairs, long most) {
    long needed = (long) pairs * PAIR_BYTES;
    if (needed > most) {
      throw new UnavailableException(
          String.format(
              "%s needs %d MiB of heap for its pairs; this process may have %d MiB (-Xmx)",
              what, needed >> 20, most >> 20));
    }
  }

  public static void check(Object what, long files, long open, long others, long most) {
    if (open >= 0 && most > 0 && open + others + files + RESERVE > most) {
      String reserved = others == 0 ? "" : "; its other meshes need " + others;
      throw new UnavailableException(
          String.format(
              "%s needs %d open files and %d in reserve; this process has %d open and may have %d"
                  + " (ulimit -n)%s",
              what, files, RESERVE, open, most, reserved));
    }
  }

  /** Some of those that were reserved have been opened. */
  void opened(int files) {
    take(files);
  }

  /** The others will not be opened. */
  public void release() {
    take(Long.MAX_VALUE);
  }

  private void take(long most) {
    long before = left.getAndUpdate(now -> now - Math.min(now, most));
    RESERVED.addAndGet(-Math.min(before, most));
  }
}
