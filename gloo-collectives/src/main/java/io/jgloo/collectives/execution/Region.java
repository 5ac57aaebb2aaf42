package io.jgloo.collectives.execution;

import java.util.Objects;

/**
 * The memory of one operand of a {@link Call}: an address, or something staged, or nothing.
 *
 * <p><em>Threads</em>: one; described anew for every call.
 */
public final class Region {

  private long address;
  private long bytes;
  private Object keepAlive;
  private Staged staged;
  private boolean present;

  public Region() {}

  /**
   * Lies at an address.
   *
   * @param keepAlive what must stay reachable while the memory is in use, or null
   */
  public void at(long address, long bytes, Object keepAlive) {
    this.address = address;
    this.bytes = bytes;
    this.keepAlive = keepAlive;
    staged = null;
    present = true;
  }

  /** Lies where no address leads. */
  public void staged(Staged staged, long bytes) {
    this.staged = Objects.requireNonNull(staged, "staged");
    this.bytes = bytes;
    address = 0;
    keepAlive = staged;
    present = true;
  }

  /** There is no such operand; what was described before is let go. */
  public void absent() {
    address = 0;
    bytes = 0;
    keepAlive = null;
    staged = null;
    present = false;
  }

  public boolean present() {
    return present;
  }

  long address() {
    return address;
  }

  long bytes() {
    return bytes;
  }

  Object keepAlive() {
    return keepAlive;
  }

  Staged staged() {
    return staged;
  }
}
