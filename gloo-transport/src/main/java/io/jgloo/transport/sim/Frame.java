package io.jgloo.transport.sim;

/**
 * One thing that travels on a stream.
 *
 * @param kind what it is
 * @param slot of the message; 0 where there is none
 * @param length of the whole message in bytes; credit: bytes that are free again
 * @param high fingerprint
 * @param low fingerprint
 * @param payload bytes that travel with it, or null
 * @param sender the send that it belongs to, or null
 * @param receiver the receive that it belongs to, or null
 * @param notice why the sender has given up, or null
 */
record Frame(
    Kind kind,
    long slot,
    long length,
    long high,
    long low,
    byte[] payload,
    SimRequest sender,
    SimRequest receiver,
    Notice notice) {

  enum Kind {
    /** A pair is agreed on. */
    WELCOME,
    /** A message with its payload. */
    EAGER,
    /** A message that waits for its receive. */
    ANNOUNCE,
    /** The announced message's receive is there. */
    GRANT,
    /** A piece of a granted message. */
    PIECE,
    /** Eager bytes that have found their receives. */
    CREDIT,
    /** The sender has given up. */
    ABORT,
    /** The sender leaves and will send nothing more. */
    GOODBYE,
    /** The connection is gone: what the operating system of a dead process says. */
    RESET
  }

  /** A header before its payload, in bytes on the link. */
  static final int HEADER_BYTES = 48;

  static Frame control(Kind kind) {
    return new Frame(kind, 0, 0, 0, 0, null, null, null, null);
  }

  static Frame credit(long bytes) {
    return new Frame(Kind.CREDIT, 0, bytes, 0, 0, null, null, null, null);
  }

  static Frame abort(Notice notice) {
    return new Frame(Kind.ABORT, 0, 0, 0, 0, null, null, null, notice);
  }

  static Frame message(SimRequest send, byte[] payload) {
    return new Frame(
        payload == null ? Kind.ANNOUNCE : Kind.EAGER,
        send.slot(),
        send.length(),
        send.fingerprintHigh(),
        send.fingerprintLow(),
        payload,
        send,
        null,
        null);
  }

  static Frame grant(SimRequest send, SimRequest recv) {
    return new Frame(Kind.GRANT, recv.slot(), 0, 0, 0, null, send, recv, null);
  }

  static Frame piece(SimRequest send, SimRequest recv, byte[] payload) {
    return new Frame(
        Kind.PIECE, recv.slot(), send.length(), 0, 0, payload, send, recv, null);
  }

  int bytes() {
    return HEADER_BYTES + (payload == null ? 0 : payload.length);
  }
}
