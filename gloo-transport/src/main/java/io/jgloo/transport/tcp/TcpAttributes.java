package io.jgloo.transport.tcp;

import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.JobSecret;
import io.jgloo.transport.TlsOptions;
import io.jgloo.transport.Wire;
import io.jgloo.transport.shm.MemorySettings;
import io.jgloo.transport.shm.Segment;
import io.jgloo.transport.tcp.connect.Endpoint;
import io.jgloo.transport.tcp.socket.KeepAlive;
import io.jgloo.transport.tcp.stream.Connecting;
import io.jgloo.transport.tcp.stream.Settings;
import io.jgloo.transport.tcp.stream.Stripes;
import io.jgloo.transport.tcp.wire.PairOptions;
import io.jgloo.transport.tls.TlsContext;
import java.util.Locale;
import java.util.Set;

/**
 * The attributes of a TCP device.
 *
 * <pre>
 *   wire        protocol of the pairs: jgloo (default), gloo or gloo-classic; see {@link Wire}
 *   connecting  eager: all pairs at once; lazy: a pair when something is first posted on it, wire
 *               jgloo; or as PyTorch with TORCH_GLOO_LAZY_INIT, wire gloo; auto (default): lazy in
 *               meshes of more than 64 ranks, wire jgloo. All ranks alike
 *   connections of a pair, 1 (default) to 16; wire jgloo only, all ranks alike. With more than one,
 *               messages of 64 KiB and more are cut over all, for networks that limit a connection
 *   interface   name of the interface to listen on
 *   bind        address to listen on (beats interface)
 *   advertise   address or host name to publish, if not the one listened on
 *   port        to listen on; default 0: the system chooses
 *   reach       host of the store: by default the device listens on the interface that reaches it
 *   congestion  congestion control for peers on this host: auto (cubic or reno, as permitted),
 *               system (leave it), or a name. bbr paces even the loopback device and
 *               was measured at half of cubic's bandwidth there
 *   sockets     auto, epoll or nio
 *   spin        microseconds a waiting thread polls before it blocks; default 50
 *   placement   spread (default): a waiting thread leaves a core that others want; kernel: it stays
 *   eager       longest message in bytes that is sent eagerly, and so never cut; default
 *               1 MiB, with several connections 64 KiB
 *   hello       milliseconds a new connection may take to send a hello, on Gloo's wires to become a
 *               pair's; default 5000
 *   window      bytes of messages held for which no receive is posted yet, per peer; default 4 MiB
 *   memory      auto (default on wire jgloo): ranks of this host share memory if they can; off: they
 *               use their sockets; require: a pair of one host that cannot is an error
 *   segment     auto (default): memory is a memfd, else a file in /dev/shm; file: the file at once
 *   ring        bytes of memory for each direction of a pair, a power of two; default 8 MiB divided
 *               by the number of local peers, 64 KiB to 2 MiB
 *   heartbeat   milliseconds after which an idle link is sent a frame, 10 to 3,600,000; default 0:
 *               never. Wire jgloo only, all ranks alike
 *   misses      periods of heartbeats in which nothing has arrived after which a peer is lost, 2 to
 *               1000; default 3
 *   keepalive   seconds after which the kernel probes an idle connection; default 60, 0: never
 *   secret-file file of the job's secret: connections of processes that do not prove to have it are
 *               refused. Wire jgloo only, all ranks alike
 *   tls-certificate, tls-key, tls-ca
 *               PEM files: connections are encrypted by TLS 1.3, and each side proves to have the
 *               key of a certificate of the job; see {@link TlsOptions}. Wire jgloo only, all ranks
 *               alike
 *   tls-rank    own (default): a certificate names the rank that its process has in the group; any:
 *               it may name another one or none
 *   host        name of the host this rank is on; default: its own. Ranks with equal names share
 *               memory; other names let tests have several hosts on one. Wire jgloo only
 * </pre>
 */
record TcpAttributes(
    Settings settings,
    String interfaceName,
    String bind,
    String advertise,
    int port,
    String reach,
    String congestion,
    String sockets,
    long helloNanos,
    String host,
    TlsOptions tls) {

  private static final Set<String> KNOWN =
      Set.of(
          "wire",
          "connecting",
          "connections",
          "heartbeat",
          "misses",
          "keepalive",
          "interface",
          "bind",
          "advertise",
          "port",
          "reach",
          "congestion",
          "sockets",
          "spin",
          "placement",
          "hello",
          "eager",
          "window",
          "memory",
          "segment",
          "ring",
          "host",
          "secret-file",
          "tls-certificate",
          "tls-key",
          "tls-ca",
          "tls-rank");

  private static final String AUTO = "auto";
  private static final long DEFAULT_SPIN_NANOS = 50_000;
  private static final long DEFAULT_HELLO_NANOS = 5_000_000_000L;
  private static final long DEFAULT_EAGER_BYTES = 1 << 20;
  private static final long DEFAULT_WINDOW_BYTES = 4 << 20;
  private static final long MIN_WINDOW_BYTES = 4096;
  private static final long MAX_WINDOW_BYTES = 1 << 30;

  /**
   * @throws IllegalArgumentException that names the attribute and the value that is not allowed
   */
  static TcpAttributes parse(DeviceOptions options) {
    options.refuseUnknown(Endpoint.DEVICE, KNOWN);
    long window =
        options.get(
            "window",
            DEFAULT_WINDOW_BYTES,
            text -> number(text, MIN_WINDOW_BYTES, MAX_WINDOW_BYTES));
    int connections =
        options.get("connections", 1, text -> (int) number(text, 1, Stripes.MAX_CONNECTIONS));
    long eager =
        options.get(
            "eager",
            Math.min(connections > 1 ? Stripes.MIN_BYTES : DEFAULT_EAGER_BYTES, window / 2),
            text -> number(text, 0, window / 2));
    Wire wire = options.get("wire", Wire.JGLOO, Wire::parse);
    Connecting connecting = options.get("connecting", Connecting.AUTO, Connecting::parse);
    boolean lazy = connecting == Connecting.LAZY;
    if (lazy && wire == Wire.GLOO_CLASSIC) {
      throw new IllegalArgumentException(
          "attribute connecting=lazy is not supported with wire=" + wire);
    }
    Settings settings =
        new Settings(
            wire,
            connecting,
            pair(options, connections, wire),
            options.get("misses", 3, text -> (int) number(text, 2, 1000)),
            new KeepAlive(options.get("keepalive", 60, text -> (int) number(text, 0, 32_767))),
            eager,
            window,
            options.get("spin", DEFAULT_SPIN_NANOS, text -> 1000 * number(text, 0, 10_000_000)),
            options.get("placement", true, text -> second(text, "kernel", "spread")),
            null,
            memory(options, wire),
            secret(options, wire),
            null);
    return new TcpAttributes(
        settings,
        options.get("interface", null),
        options.get("bind", null),
        options.get("advertise", null),
        options.get("port", 0, text -> (int) number(text, 0, 65535)),
        options.get("reach", null),
        options.get("congestion", AUTO),
        options.get("sockets", AUTO, TcpAttributes::sockets),
        options.get("hello", DEFAULT_HELLO_NANOS, text -> number(text, 10, 600_000) * 1_000_000),
        options.get("host", null),
        tls(options, wire));
  }

  private static JobSecret secret(DeviceOptions options, Wire wire) {
    JobSecret secret = options.secret().orElse(null);
    if (secret != null && wire != Wire.JGLOO) {
      throw new IllegalArgumentException(
          ("a job secret is not supported with wire=" + wire)
              + ", in whose handshake C++ Gloo sends no proof; use wire=jgloo, or a network that"
              + " only the job can reach");
    }
    return secret;
  }

  private static TlsOptions tls(DeviceOptions options, Wire wire) {
    TlsOptions tls = TlsOptions.of(options).orElse(null);
    if (tls != null && wire != Wire.JGLOO) {
      throw new IllegalArgumentException(
          "TLS is not supported with wire=" + wire + "; use wire=jgloo, or an encrypted network");
    }
    return tls;
  }

  private static PairOptions pair(DeviceOptions options, int connections, Wire wire) {
    PairOptions pair =
        new PairOptions(connections, options.get("heartbeat", 0, TcpAttributes::heartbeat));
    if (wire != Wire.JGLOO && pair.encode() != 0) {
      throw new IllegalArgumentException(
          "attributes connections and heartbeat are not supported with wire="
              + (wire + ", whose bytes cannot carry them, but are " + pair));
    }
    return pair;
  }

  private static int heartbeat(String text) {
    return text.equals("0") ? 0 : (int) number(text, 10, 3_600_000);
  }

  /** What the meshes need, with a congestion control and a use of memory that are possible here. */
  Settings settings(String possibleCongestion, MemorySettings possibleMemory) {
    return settings.at(
        possibleCongestion, possibleMemory, tls == null ? null : TlsContext.open(tls));
  }

  private static MemorySettings memory(DeviceOptions options, Wire wire) {
    MemorySettings.Use usual =
        wire == Wire.JGLOO ? MemorySettings.Use.AUTO : MemorySettings.Use.OFF;
    MemorySettings.Use use = options.get("memory", usual, TcpAttributes::use);
    if (wire != Wire.JGLOO
        && (use != MemorySettings.Use.OFF || options.get("host", null) != null)) {
      throw new IllegalArgumentException(
          "attributes memory and host cannot be had with wire=" + wire);
    }
    return new MemorySettings(
        use,
        options.get("segment", false, text -> second(text, "auto", "file")),
        options.get("ring", 0L, TcpAttributes::ring));
  }

  private static MemorySettings.Use use(String text) {
    return switch (text) {
      case "off" -> MemorySettings.Use.OFF;
      case "auto" -> MemorySettings.Use.AUTO;
      case "require" -> MemorySettings.Use.REQUIRE;
      default -> throw new IllegalArgumentException("it must be auto, off or require");
    };
  }

  private static long ring(String text) {
    long bytes = number(text, Segment.MIN_RING_BYTES, Segment.MAX_RING_BYTES);
    if (Long.bitCount(bytes) != 1) {
      throw new IllegalArgumentException("it must be a power of two");
    }
    return bytes;
  }

  private static String sockets(String text) {
    String kind = text.toLowerCase(Locale.ROOT);
    if (!Set.of(AUTO, "epoll", "nio").contains(kind)) {
      throw new IllegalArgumentException("it must be auto, epoll or nio");
    }
    return kind;
  }

  private static boolean second(String text, String first, String second) {
    if (!Set.of(first, second).contains(text)) {
      throw new IllegalArgumentException("it must be " + first + " or " + second);
    }
    return text.equals(second);
  }

  private static long number(String text, long least, long most) {
    long value = Long.parseLong(text);
    if (value < least || value > most) {
      throw new IllegalArgumentException("it must be " + least + " to " + most);
    }
    return value;
  }
}
