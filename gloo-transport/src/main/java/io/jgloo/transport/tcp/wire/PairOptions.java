package io.jgloo.transport.tcp.wire;

/**
 * The attributes of a pair on which both of its ranks must agree; a hello brings them.
 *
 * <pre>
 *   bits  0 to 15   connections beside the first
 *   bit  16         whether payloads and headers have checksums
 *   bits 32 to 63   milliseconds between heartbeats, 0 for none
 * </pre>
 *
 * @param connections connections of the pair
 * @param checksum whether what goes through sockets is protected by CRC-32C
 * @param heartbeatMillis period of heartbeats, or 0
 */
public record PairOptions(int connections, boolean checksum, int heartbeatMillis) {

  private static final int CHECKSUM_BIT = 16;
  private static final int HEARTBEAT_SHIFT = 32;

  public long encode() {
    return (long) heartbeatMillis << HEARTBEAT_SHIFT
        | (checksum ? 1L << CHECKSUM_BIT : 0)
        | connections - 1;
  }

  /** Those of a peer, to be shown: any bits may have been sent. */
  public static PairOptions decode(long bits) {
    int connections = (int) (bits & 0xffff) + 1;
    boolean checksum = (bits >> CHECKSUM_BIT & 1) != 0;
    return new PairOptions(connections, checksum, (int) (bits >>> HEARTBEAT_SHIFT));
  }

  /** The end of a sentence about a peer that has others. */
  public String differs() {
    return ", but this rank has " + this + ": set these attributes alike on all ranks";
  }

  @Override
  public String toString() {
    return "connections="
        + connections
        + (checksum ? " checksum=crc32c" : " checksum=off")
        + " heartbeat="
        + heartbeatMillis;
  }
}
