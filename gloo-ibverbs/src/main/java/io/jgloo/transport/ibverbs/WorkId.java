package io.jgloo.transport.ibverbs;

/**
 * The id of a work request: kind, peer, and number; a failed completion has no other valid field.
 *
 * <pre>
 *   bits 63..62  kind
 *   bits 61..40  peer
 *   bits 39..0   sends: running number; receives: place in the ring
 * </pre>
 */
final class WorkId {

  static final int SEND = 1;
  static final int RECEIVE = 2;

  static final long NUMBER_MASK = (1L << 40) - 1;

  private WorkId() {}

  static long of(int kind, int peer, long number) {
    return (long) kind << 62 | (long) peer << 40 | (number & NUMBER_MASK);
  }

  static int kind(long id) {
    return (int) (id >>> 62);
  }

  static int peer(long id) {
    return (int) (id >>> 40) & 0x3fffff;
  }

  static long number(long id) {
    return id & NUMBER_MASK;
  }
}
