package io.jgloo.transport.tcp.wire;

/**
 * The attributes of a pair on which both of its ranks must agree; a hello brings them.
 *
 * <pre>
 *   bits  0 to 15   connections beside the first
 *   bits 16 to 31   0
 *   bits 32 to 63   milliseconds between heartbeats, 0 for none
 * </pre>
 *
 * @param connections connections of the pair
 * @param heartbeatMillis period of heartbeats, or 0
 */
public record PairOptions(int connections, int heartbeatMillis) {

  private static final int HEARTBEAT_SHIFT = 32;

  public long encode() {
    return (long) heartbeatMillis << HEARTBEAT_SHIFT | connections - 1;
  }

  /** The options of a peer, in words: any bits may have been sent. */
  public static String text(long bits) {
    long others = bits >> 16 & 0xffff;
    return "connections="
        + ((bits & 0xffff) + 1)
        + (" heartbeat=" + (bits >>> HEARTBEAT_SHIFT))
        + (others == 0 ? "" : String.format(" and options 0x%x that this release lacks", others));
  }

  /** The end of a sentence about a peer that has other options. */
  public String differs() {
    return ", but this rank has " + this + ": set these attributes alike on all ranks";
  }

  @Override
  public String toString() {
    return text(encode());
  }
}
