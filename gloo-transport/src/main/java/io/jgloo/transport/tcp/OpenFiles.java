package io.jgloo.transport.tcp;

import com.sun.management.UnixOperatingSystemMXBean;
import io.jgloo.transport.UnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;

/** Compares the descriptors that a mesh needs with those this process may have. */
final class OpenFiles {

  private static final Logger LOG = System.getLogger(OpenFiles.class.getName());
  private static final int RESERVE = 16; // what else may be opened meanwhile

  private OpenFiles() {}

  /**
   * Refuses what needs more descriptors than this process may have.
   *
   * @throws UnavailableException with the limit
   */
  static void check(Object what, long files) {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
      try {
        check(what, files, system.getOpenFileDescriptorCount(), system.getMaxFileDescriptorCount());
      } catch (InternalError e) {
        LOG.log(Level.DEBUG, "open files cannot be counted, is there no /proc? {0}", e.toString());
      }
    }
  }

  static void check(Object what, long files, long open, long most) {
    if (open >= 0 && most > 0 && open + files + RESERVE > most) {
      throw new UnavailableException(
          String.format(
              "%s needs %d open files; this process has %d open and may have %d (ulimit -n)",
              what, files, open, most));
    }
  }
}
