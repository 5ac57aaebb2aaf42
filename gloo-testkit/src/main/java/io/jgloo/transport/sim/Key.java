package io.jgloo.transport.sim;

import io.jgloo.transport.tcp.socket.Pollable;
import java.util.function.IntSupplier;

/** The registration of a socket with a poller. */
final class Key {

  static final int IN = 1;
  static final int OUT = 2;

  /** The other side has ended its stream. */
  static final int END = 4;

  /** Reported whether or not it is asked for. */
  static final int BROKEN = 8;

  static final int ALL = IN | OUT | END | BROKEN;

  final SimPoller poller;
  final Pollable pollable;
  private final IntSupplier state;
  private int interest;
  private boolean valid = true;

  /** Listed with its poller as one to look at; see {@link SimPoller}. */
  boolean queued;

  Key(SimPoller poller, Pollable pollable, IntSupplier state, int interest) {
    this.poller = poller;
    this.pollable = pollable;
    this.state = state;
    this.interest = interest;
  }

  /** What is so and asked for. */
  int ready() {
    return valid ? state.getAsInt() & (interest | BROKEN) : 0;
  }

  /** Something has happened to the socket. */
  void happened(int what) {
    if (valid && (what & (interest | BROKEN)) != 0) {
      poller.queue(this);
    }
  }

  int interest() {
    return interest;
  }

  /**
   * Sets what is asked for; what is true already is reported too.
   *
   * @throws java.nio.channels.CancelledKeyException if the registration has ended
   */
  void interest(int changed) {
    if (!valid) {
      throw new java.nio.channels.CancelledKeyException();
    }
    interest = changed;
    happened(state.getAsInt());
  }

  boolean isValid() {
    return valid;
  }

  void cancel() {
    valid = false;
  }
}
