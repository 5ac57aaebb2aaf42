package io.jgloo.transport.sim;

import io.jgloo.transport.memory.Memory;

/**
 * One direction of a connection: a send buffer, the network, a receive buffer.
 *
 * <pre>
 *   read &lt;= arrived &lt;= departed &lt;= written      positions in the stream, all in one ring
 *   |receive buffer|  network  | not sent |
 *          |       send buffer            |
 * </pre>
 */
final class Stream {

  /** A segment in this many is short, so that headers are cut anywhere. */
  private static final int TINY_ONE_IN = 6;

  private static final int TINY_BYTES = 60;

  /** Bytes of a handshake. */
  private static final int FRESH_BYTES = 256;

  private final Timeline timeline;
  private final NetworkPath path;
  private final SimLink to;
  private final SimLink from;
  private final int sendBytes;
  private final int receiveBytes;
  private final byte[] ring;
  private long read;
  private long arrived;
  private long departed;
  private long written;
  private long held;
  private boolean holds;
  private boolean resetHeld;
  private long busyUntil;
  private long lastArrival;
  private boolean shut;
  private boolean finSent;
  private boolean finArrived;
  private boolean dropped;

  Stream(
      Timeline timeline,
      NetworkPath path,
      SimLink from,
      SimLink to,
      int sendBytes,
      int receiveBytes) {
    this.timeline = timeline;
    this.path = path;
    this.from = from;
    this.to = to;
    this.sendBytes = sendBytes;
    this.receiveBytes = receiveBytes;
    ring = new byte[sendBytes + receiveBytes];
  }

  // The sender's end.

  int room() {
    return (int) (sendBytes - (written - arrived));
  }

  /** Whether there is room enough for the kernel to report it. */
  boolean isWritable() {
    return room() >= sendBytes / 3;
  }

  long written() {
    return written;
  }

  void write(long address, int count) {
    for (int done = 0; done < count; ) {
      int at = (int) ((written + done) % ring.length);
      int part = Math.min(count - done, ring.length - at);
      Memory.copy(address + done, ring, at, part);
      done += part;
    }
    if (count > 0 && written >= FRESH_BYTES && path.takeFlip()) {
      int at = (int) ((written + timeline.random(count)) % ring.length);
      ring[at] = (byte) (ring[at] ^ 1 << timeline.random(Byte.SIZE));
    }
    written += count;
    pump();
  }

  /** Nothing more will be written: the end follows the last byte. */
  void shut() {
    shut = true;
    pump();
  }

  boolean isShut() {
    return shut;
  }

  /** Throws away what has not been sent. */
  void drop() {
    dropped = true;
  }

  private void pump() {
    while (!dropped && departed < written && departed - read < receiveBytes) {
      long most = Math.min(written - departed, receiveBytes - (departed - read));
      boolean tiny = timeline.random(TINY_ONE_IN) == 0;
      int count = (int) Math.min(most, tiny ? 1 + timeline.random(TINY_BYTES) : most);
      departed += count;
      travel(count, "bytes", () -> arrive(count));
    }
    if (!dropped && shut && !finSent && departed == written) {
      finSent = true;
      travel(0, "end", () -> arrive(0));
    }
  }

  private void travel(int count, String what, Runnable arrival) {
    busyUntil = Math.max(busyUntil, timeline.now()) + path.model().nanosFor(count);
    lastArrival = Math.max(lastArrival, busyUntil + path.delay());
    timeline.at(lastArrival, what, arrival);
  }

  /** Has the connection broken at the other end, after what is under way. */
  void reset(long delayNanos) {
    drop();
    lastArrival = Math.max(lastArrival, timeline.now() + delayNanos + path.delay());
    timeline.at(lastArrival, "reset", this::arriveReset);
  }

  // The network.

  private void arrive(int count) {
    if (isBlocked()) {
      held += count;
      hold();
    } else {
      deliver(count);
    }
  }

  private void arriveReset() {
    if (isBlocked()) {
      resetHeld = true;
      hold();
    } else {
      to.broken();
    }
  }

  private boolean isBlocked() {
    return path.isCut() || holds || to.node().isSilent();
  }

  private void hold() {
    if (!holds) {
      holds = true;
      path.hold(this);
    }
  }

  /** The way is open again. */
  void arriveHeld() {
    holds = false;
    if (isBlocked()) {
      hold();
      return;
    }
    long count = held;
    held = 0;
    deliver(count);
    if (resetHeld) {
      to.broken();
    }
  }

  private void deliver(long count) {
    if (to.isBroken()) {
      return;
    }
    arrived += count;
    boolean ends = finSent && !finArrived && arrived == written;
    finArrived |= ends;
    if (to.isClosed()) {
      if (count > 0) {
        to.refuseBytes();
      }
      return;
    }
    to.arrived();
    if (count > 0) {
      from.roomMayBeFound();
    }
  }

  // The receiver's end.

  int available() {
    return (int) (arrived - read);
  }

  boolean hasEnded() {
    return finArrived;
  }

  void read(long address, int count) {
    for (int done = 0; done < count; ) {
      int at = (int) ((read + done) % ring.length);
      int part = Math.min(count - done, ring.length - at);
      Memory.copy(ring, at, address + done, part);
      done += part;
    }
    read += count;
    pump();
  }
}
