package io.jgloo.transport.ibverbs.verbs;

import java.io.IOException;

/** A call of libibverbs that failed. */
public final class VerbsException extends IOException {

  private static final long serialVersionUID = 1L;

  public static final int EPERM = 1;
  public static final int EAGAIN = 11;
  public static final int ENOMEM = 12;
  static final int EACCES = 13;
  static final int ENODEV = 19;
  static final int EINVAL = 22;
  static final int ENOSYS = 38;

  private final String call;
  private final int errno;

  /**
   * @param call the C function, such as {@code ibv_reg_mr}
   * @param errno what it left, or 0 if it left nothing
   * @param text of strerror
   */
  VerbsException(String call, int errno, String text) {
    super(call + ": " + text + " (errno " + errno + ")");
    this.call = call;
    this.errno = errno;
  }

  String call() {
    return call;
  }

  public int errno() {
    return errno;
  }
}
