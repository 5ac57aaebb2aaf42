package io.jgloo.transport.ibverbs.verbs;

import io.jgloo.transport.UnavailableException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Finds libibverbs on this machine.
 *
 * <p>Loaded once in a JVM, at the first use of this class: a process cannot bind two.
 */
public final class VerbsLibrary {

  private static final Logger LOG = System.getLogger(VerbsLibrary.class.getName());

  private static final Verbs VERBS;
  private static final UnavailableException CAUSE;

  static {
    Verbs verbs = null;
    UnavailableException cause = null;
    try {
      verbs = bind();
    } catch (UnavailableException e) {
      cause = e;
    }
    VERBS = verbs;
    CAUSE = cause;
  }

  private VerbsLibrary() {}

  /**
   * The library, loaded once.
   *
   * @throws UnavailableException that names what is missing or not permitted
   */
  public static Verbs load() {
    if (VERBS == null) {
      throw new UnavailableException(CAUSE.getMessage(), CAUSE.getCause());
    }
    return VERBS;
  }

  private static Verbs bind() {
    String machine = System.getProperty("os.arch");
    if (!machine.equals("amd64") && !machine.equals("aarch64")) {
      throw new UnavailableException(
          "structures of "
              + Libibverbs.FILE
              + " are known on amd64 and aarch64, not on "
              + machine);
    }
    try {
      Libibverbs.bind();
    } catch (LinkageError e) {
      throw new UnavailableException("no " + Libibverbs.FILE + ": " + e.getMessage(), e);
    }
    try {
      DriverCalls.bind();
    } catch (IOException | LinkageError | UnsupportedOperationException e) {
      throw new UnavailableException(
          "device ibverbs needs the native library of JGloo, which cannot be used: " + e, e);
    }
    Verbs verbs = new NativeVerbs();
    try {
      LOG.log(Level.DEBUG, "{0} sees {1}", Libibverbs.FILE, verbs.devices());
    } catch (VerbsException e) {
      String hint =
          e.errno() == VerbsException.ENOSYS ? ": the kernel has no RDMA (module ib_uverbs)" : "";
      throw new UnavailableException(e.getMessage() + hint, e);
    }
    return verbs;
  }
}
