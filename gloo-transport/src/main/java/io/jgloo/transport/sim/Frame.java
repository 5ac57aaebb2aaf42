package io.jgloo.transport.sim;

/** One thing that travels on a stream; each kind uses what it needs. */
final class Frame {

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

  private final Kind kind;
  private long slot;
  private long length;
  private long high;
  private long low;
  private byte[] payload;
  private SimRequest sender;
  private SimRequest receiver;
  private Notice notice;

  private Frame(Kind kind) {
    this.kind = kind;
  }

  static Frame control(Kind kind) {
    return new Frame(kind);
  }

  static Frame credit(long bytes) {
    Frame frame = new Frame(Kind.CREDIT);
    frame.length = bytes;
    return frame;
  }

  static Frame abort(Notice notice) {
    Frame frame = new Frame(Kind.ABORT);
    frame.notice = notice;
    return frame;
  }

  /**
   * @param payload null if the message is only announced
   */
  static Frame message(SimRequest send, byte[] payload) {
    Frame frame = new Frame(payload == null ? Kind.ANNOUNCE : Kind.EAGER);
    frame.slot = send.slot();
    frame.length = send.length();
    frame.high = send.fingerprintHigh();
    frame.low = send.fingerprintLow();
    frame.payload = payload;
    frame.sender = send;
    return frame;
  }

  static Frame grant(SimRequest send, SimRequest recv) {
    Frame frame = new Frame(Kind.GRANT);
    frame.sender = send;
    frame.receiver = recv;
    return frame;
  }

  static Frame piece(SimRequest send, byte[] payload) {
    Frame frame = new Frame(Kind.PIECE);
    frame.length = send.length();
    frame.payload = payload;
    frame.receiver = send.receiver;
    return frame;
  }

  Kind kind() {
    return kind;
  }

  long slot() {
    return slot;
  }

  /** Length of the whole message; credit: bytes that are free again. */
  long length() {
    return length;
  }

  long high() {
    return high;
  }

  long low() {
    return low;
  }

  byte[] payload() {
    return payload;
  }

  /** The announced send. */
  SimRequest sender() {
    return sender;
  }

  /** The receive that asks for bytes or gets them. */
  SimRequest receiver() {
    return receiver;
  }

  /** Why the sender has given up. */
  Notice notice() {
    return notice;
  }

  /** Length on the link. */
  int bytes() {
    return HEADER_BYTES + (payload == null ? 0 : payload.length);
  }
}
