package io.jgloo.transport.tcp.socket;

import io.jgloo.transport.library.JniCalls;
import io.jgloo.transport.tcp.wire.AuthenticationFailure;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.function.BooleanSupplier;

/** One connected, non-blocking stream socket, read and written by raw address. */
public abstract class Link extends Pollable {

  /** Longest range one call is given; the kernel takes less anyway. */
  public static final int MAX_CALL_BYTES = 1 << 30;

  /**
   * Reads what is there.
   *
   * @return bytes read; 0 if nothing is there; -1 at the end of the stream
   */
  public abstract int read(long address, int length) throws IOException;

  /**
   * Writes what fits.
   *
   * @return bytes written; 0 if nothing fits
   */
  public abstract int write(long address, int length) throws IOException;

  /** Writes what fits of two ranges with one call; returns the bytes written of both together. */
  public abstract long write(long first, int firstLength, long second, int secondLength)
      throws IOException;

  /** Whether the kernel copies what is written, from where it lies. */
  public boolean isCopiedByKernel() {
    return false;
  }

  /** Whether its bytes can be read where the peer has written them, in memory that both map. */
  public boolean canReadInPlace() {
    return false;
  }

  /** Whether {@link #write(long, int, Object, long, int)} can be called. */
  public boolean writesArrays() {
    return false;
  }

  /**
   * Writes what fits of memory and part of an array behind it, with one call.
   *
   * @param offset of the first byte in the array
   * @param length at most {@link JniCalls#MOST_ARRAY_BYTES}
   * @return bytes written of both together
   */
  public int write(long first, int firstLength, Object array, long offset, int length)
      throws IOException {
    throw new UnsupportedOperationException("no arrays on " + this);
  }

  /**
   * Completes a connect that was under way.
   *
   * @return false if it is still under way
   */
  public abstract boolean finishConnect() throws IOException;

  /**
   * Continues the handshake of TLS, if there is TLS; before bytes are read and written.
   *
   * @return whether it is complete
   * @throws AuthenticationFailure if the two sides do not accept each other
   */
  public boolean secure() throws IOException {
    return true;
  }

  /** Whether the peer may be this rank, by its certificate if there is TLS. */
  public boolean mayBe(int rank) {
    return true;
  }

  /** The process that the peer's certificate names; null without TLS. */
  public String identity() {
    return null;
  }

  /** The connection below TLS, whose memory is given back. */
  public Link withoutTls() {
    return this;
  }

  /** Whether bytes have been taken from the socket that were not read: no poller reports them. */
  public boolean holdsBytes() {
    return false;
  }

  /** Lets the poller report again on what was left unread. */
  public abstract void lookAgain();

  /** Ends both directions; the descriptor stays. */
  public abstract void shutdown() throws IOException;

  /** Tells the peer that nothing more will come. */
  public abstract void shutdownOutput() throws IOException;

  /** Sets the congestion control of this socket, as far as the platform lets us. */
  public abstract void congestionControl(String name);

  /**
   * Sets when the kernel gives the peer up, as far as the platform lets us. A peer at an address of
   * this host is not probed, see {@link KeepAlive}.
   */
  public void keepAlive(KeepAlive settings) {}

  /** Hands the link over; closes it if it is not taken. */
  public final void closeUnless(BooleanSupplier taking) {
    boolean taken = false;
    try {
      taken = taking.getAsBoolean();
    } finally {
      if (!taken) {
        close();
      }
    }
  }

  /** Address of the other end, or null if the connection is broken. */
  public abstract InetSocketAddress remoteAddress();
}
