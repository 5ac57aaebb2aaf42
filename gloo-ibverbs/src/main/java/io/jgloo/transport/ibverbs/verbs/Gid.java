package io.jgloo.transport.ibverbs.verbs;

/**
 * An entry of a port's GID table: an address of the port.
 *
 * @param high first 8 bytes, as a big-endian number
 * @param low last 8 bytes, as a big-endian number
 * @param type which packets it is for
 */
public record Gid(long high, long low, Type type) {

  /** An entry that is not in use. */
  public static final Gid ABSENT = new Gid(0, 0, Type.UNKNOWN);

  /** What a GID is an address for. */
  public enum Type {
    INFINIBAND,
    ROCE_1,
    ROCE_2,
    /** The kernel does not tell. */
    UNKNOWN
  }

  /** Whether the entry is in use. */
  public boolean exists() {
    return high != 0 || low != 0;
  }

  public boolean isLinkLocal() {
    return high >>> 54 == 0xfe80 >>> 6;
  }

  /** Whether it is an IPv4 address, as in ::ffff:10.0.0.1. */
  public boolean isMappedIpv4() {
    return high == 0 && low >>> 32 == 0xffff;
  }

  /** As an IPv6 address, or as an IPv4 one where it is that. */
  @Override
  public String toString() {
    if (isMappedIpv4()) {
      return "::ffff:"
          + (low >>> 24 & 255)
          + "."
          + (low >>> 16 & 255)
          + "."
          + (low >>> 8 & 255)
          + "."
          + (low & 255);
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 8; i++) {
      long word = (i < 4 ? high : low) >>> (48 - 16 * (i & 3)) & 0xffff;
      text.append(i == 0 ? "" : ":").append(Long.toHexString(word));
    }
    return text.toString();
  }
}
