package io.jgloo.rendezvous;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** Limits of the operating system for this process, checked before a large group is begun. */
final class SystemLimits {
  private static final Logger LOG = System.getLogger(SystemLimits.class.getName());
  private static final Path BACKLOG = Path.of("/proc/sys/net/core/somaxconn");
  private static final int SPARE_FILES = 16; // opened for other purposes

  private SystemLimits() {}

  /**
   * Refuses an operation that needs more open files than this process may have.
   *
   * @param what the operation, for the message
   */
  static void requireFiles(String what, long files) {
    try {
      if (ManagementFactory.getOperatingSystemMXBean()
          instanceof UnixOperatingSystemMXBean system) {
        requireFiles(
            what, files, system.getOpenFileDescriptorCount(), system.getMaxFileDescriptorCount());
      }
    } catch (InternalError e) {
      LOG.log(Level.DEBUG, "open files cannot be counted; is /proc mounted? {0}", e.toString());
    } catch (LinkageError e) { // the JDK's classes for the count need a descriptor themselves
      throw new RendezvousException(
          what
              + " cannot count its open files; this process may have too few (ulimit -n): "
              + (e.getCause() == null ? e : e.getCause().getMessage()),
          e);
    }
  }

  static void requireFiles(String what, long files, long open, long most) {
    if (open >= 0 && most > 0 && open + files + SPARE_FILES > most) {
      throw new RendezvousException(
          String.format(
              "%s needs %d open files and %d in reserve; this process has %d open and may have %d"
                  + " (ulimit -n)",
              what, files, SPARE_FILES, open, most),
          null);
    }
  }

  /** Warns if so many clients at once may overflow the queue of those to be accepted. */
  static void checkBacklog(int clients) {
    try {
      checkBacklog(clients, Integer.parseInt(Files.readString(BACKLOG).strip()));
    } catch (IOException | NumberFormatException e) {
      LOG.log(Level.DEBUG, "{0} cannot be read: {1}", BACKLOG, e.getMessage());
    }
  }

  /** Whether the backlog is large enough; logs a warning if not. */
  static boolean checkBacklog(int clients, int backlog) {
    if (backlog < clients) {
      LOG.log(
          Level.WARNING,
          "{0} is {1}: some of {2} ranks that connect at once will have to retry",
          BACKLOG,
          backlog,
          clients);
    }
    return backlog >= clients;
  }
}
