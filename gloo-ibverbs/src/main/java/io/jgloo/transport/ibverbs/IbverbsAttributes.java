package io.jgloo.transport.ibverbs;

import io.jgloo.transport.DeviceOptions;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The attributes of an ibverbs device.
 *
 * <pre>
 *   device      name of the RDMA device, such as mlx5_0; default: the first with an active port
 *   port        its port, from 1 on; default: the first that is active
 *   gid         entry of the port's GID table; default: the first RoCE v2 entry with a routable
 *               address, IPv4 before IPv6
 *   mtu         256, 512, 1024, 2048 or 4096; default: what the port uses now
 *   class       traffic class of the packets, 0 to 255; default 0
 *   level       service level (InfiniBand) or priority, 0 to 7; default 0
 *   retries     how often a packet that is not acknowledged is sent again, 0 to 7; default 6, as
 *               rxe takes 7 for ever
 *   timeout     wait for an acknowledgement: 4.096 us times 2 to this, 1 to 31; default 14, 67 ms
 *   eager       longest message in bytes sent without being asked for; default 8128
 *   depth       messages under way in each direction of a pair, a power of two; default 64
 *   inline      longest send in bytes handed over with its work request; default 128
 *   window      bytes of messages held for which no receive is posted yet, per peer; default 4 MiB
 *   register    shortest message in bytes for which user memory is registered on the fly; shorter
 *               ones and those that cannot be are copied through pinned memory; default 256 KiB
 *   bounce      bytes of pinned memory of a mesh to copy through, for each direction; default 1 MiB
 *   pinned      most bytes this device pins; default: no limit of ours
 *   spin        microseconds a waiting thread polls before it blocks; default 50
 *   placement   spread (default) or kernel, as for tcp
 *   interface, bind, advertise, reach, hello, secret-file
 *               of the TCP connections by which ranks meet and watch each other, as for tcp
 *   listen      the TCP port to listen on; default 0: the system chooses
 * </pre>
 */
record IbverbsAttributes(
    String device, int port, int gid, Settings settings, DeviceOptions bootstrap) {

  private static final List<String> BOOTSTRAP =
      List.of("interface", "bind", "advertise", "reach", "hello");

  private static final Set<String> KNOWN =
      Set.of(
          "device",
          "port",
          "gid",
          "mtu",
          "class",
          "level",
          "retries",
          "timeout",
          "eager",
          "depth",
          "inline",
          "window",
          "register",
          "bounce",
          "pinned",
          "spin",
          "placement",
          "interface",
          "bind",
          "advertise",
          "reach",
          "hello",
          "secret-file",
          "listen");

  private static final int DEFAULT_RETRIES = 6;
  private static final int DEFAULT_TIMEOUT = 14;
  private static final int DEFAULT_DEPTH = 64;
  private static final int DEFAULT_EAGER_BYTES = 8192 - Frame.BYTES;
  private static final int DEFAULT_INLINE_BYTES = 128;
  private static final long DEFAULT_WINDOW_BYTES = 4 << 20;
  private static final long DEFAULT_REGISTER_BYTES = 256 << 10;
  private static final long DEFAULT_BOUNCE_BYTES = 1 << 20;
  private static final long DEFAULT_SPIN_NANOS = 50_000;

  /**
   * @throws IllegalArgumentException that names the attribute and the value that is not allowed
   */
  public static IbverbsAttributes parse(DeviceOptions options) {
    options.refuseUnknown(IbverbsProvider.NAME, KNOWN);
    long window =
        options.get("window", DEFAULT_WINDOW_BYTES, text -> number(text, 1 << 14, 1 << 30));
    Settings settings =
        new Settings(
            options.get("mtu", 0, IbverbsAttributes::mtu),
            options.get("class", 0, text -> (int) number(text, 0, 255)),
            options.get("level", 0, text -> (int) number(text, 0, 7)),
            options.get("retries", DEFAULT_RETRIES, text -> (int) number(text, 0, 7)),
            options.get("timeout", DEFAULT_TIMEOUT, text -> (int) number(text, 1, 31)),
            options.get(
                "eager", DEFAULT_EAGER_BYTES, text -> (int) number(text, 0, Settings.MAX_EAGER)),
            options.get("depth", DEFAULT_DEPTH, IbverbsAttributes::depth),
            options.get("inline", DEFAULT_INLINE_BYTES, text -> (int) number(text, 0, 1024)),
            window,
            options.get(
                "register", DEFAULT_REGISTER_BYTES, text -> number(text, 1, Long.MAX_VALUE)),
            options.get(
                "bounce",
                DEFAULT_BOUNCE_BYTES,
                text -> number(text, BouncePool.SEGMENT_BYTES, 1 << 30)),
            options.get("pinned", Long.MAX_VALUE, text -> number(text, 1, Long.MAX_VALUE)),
            options.get("spin", DEFAULT_SPIN_NANOS, text -> 1000 * number(text, 0, 10_000_000)),
            options.get("placement", true, IbverbsAttributes::spreads));
    return new IbverbsAttributes(
        options.get("device", null),
        options.get("port", 0, text -> (int) number(text, 1, 255)),
        options.get("gid", -1, text -> (int) number(text, 0, 65535)),
        settings,
        bootstrap(options));
  }

  /** The inner device never spins, and stays where the kernel puts it: it moves no message. */
  private static DeviceOptions bootstrap(DeviceOptions options) {
    DeviceOptions inner =
        DeviceOptions.DEFAULTS
            .with("spin", 0)
            .with("placement", "kernel")
            .with("port", options.get("listen", "0"));
    for (String name : BOOTSTRAP) {
      String value = options.get(name, null);
      inner = value == null ? inner : inner.with(name, value);
    }
    return options.secret().map(inner::withSecret).orElse(inner);
  }

  private static int mtu(String text) {
    int code = List.of("256", "512", "1024", "2048", "4096").indexOf(text) + 1;
    if (code == 0) {
      throw new IllegalArgumentException("it must be 256, 512, 1024, 2048 or 4096");
    }
    return code;
  }

  private static int depth(String text) {
    int depth = (int) number(text, 8, 8192);
    if (Integer.bitCount(depth) != 1) {
      throw new IllegalArgumentException("it must be a power of two");
    }
    return depth;
  }

  private static boolean spreads(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "spread" -> true;
      case "kernel" -> false;
      default -> throw new IllegalArgumentException("it must be spread or kernel");
    };
  }

  private static long number(String text, long least, long most) {
    long value = Long.parseLong(text);
    if (value < least || value > most) {
      throw new IllegalArgumentException("it must be " + least + " to " + most);
    }
    return value;
  }
}
