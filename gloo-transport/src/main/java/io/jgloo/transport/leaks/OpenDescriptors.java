package io.jgloo.transport.leaks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The sockets, pipes, polls, events and segments of shared memory that this process has open; none
 * where there is no /proc.
 *
 * <p>Other files are left out, because the JVM opens jars when it needs them. Unix sockets are left
 * out, because the library opens none and the JVM does: one half of a socket pair that it keeps
 * after the first socket or file channel of the process, and the listener of a debugger's attach.
 */
final class OpenDescriptors {

  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final Path TABLES = Path.of("/proc/self/net");
  private static final String SOCKET = "socket:[";

  /** States of a TCP socket, from include/net/tcp_states.h. */
  private static final List<String> TCP_STATES =
      List.of(
          "ESTABLISHED",
          "SYN_SENT",
          "SYN_RECV",
          "FIN_WAIT1",
          "FIN_WAIT2",
          "TIME_WAIT",
          "CLOSE",
          "CLOSE_WAIT",
          "LAST_ACK",
          "LISTEN",
          "CLOSING");

  /** By what the descriptor's link names: one inode each, but one name for all polls. */
  private final Map<String, List<Integer>> byTarget;

  private OpenDescriptors(Map<String, List<Integer>> byTarget) {
    this.byTarget = byTarget;
  }

  static OpenDescriptors now() {
    Map<String, List<Integer>> byTarget = new TreeMap<>();
    if (!Files.isDirectory(DESCRIPTORS)) {
      return new OpenDescriptors(byTarget);
    }
    try (DirectoryStream<Path> all = Files.newDirectoryStream(DESCRIPTORS)) {
      for (Path descriptor : all) {
        String target = target(descriptor);
        if (target.startsWith(SOCKET)
            || target.startsWith("pipe:")
            || target.startsWith("anon_inode:")
            || target.startsWith("/memfd:jgloo")
            || target.startsWith("/dev/shm/")) {
          int number = Integer.parseInt(descriptor.getFileName().toString());
          byTarget.computeIfAbsent(target, name -> new ArrayList<>()).add(number);
        }
      }
    } catch (IOException e) {
      throw new AssertionError("cannot list " + DESCRIPTORS, e);
    }
    return new OpenDescriptors(byTarget);
  }

  /** Describes each descriptor that is open here and was not before. */
  List<String> since(OpenDescriptors before) {
    List<String> found = new ArrayList<>();
    Set<String> unixSockets = null;
    for (Map.Entry<String, List<Integer>> entry : byTarget.entrySet()) {
      String target = entry.getKey();
      List<Integer> earlier = before.byTarget.getOrDefault(target, List.of());
      if (entry.getValue().size() <= earlier.size()) {
        continue;
      }
      if (target.startsWith(SOCKET)) {
        unixSockets = unixSockets == null ? unixSockets() : unixSockets;
        if (unixSockets.contains(inode(target))) {
          continue;
        }
      }
      List<Integer> later = new ArrayList<>(entry.getValue());
      later.removeAll(earlier);
      String count = earlier.isEmpty() ? "" : ", " + earlier.size() + " more were open before";
      found.add(describe(target, later) + count);
    }
    return found;
  }

  private static String describe(String target, List<Integer> numbers) {
    if (target.startsWith(SOCKET)) {
      return socket(inode(target)) + " (descriptor " + numbers + ")";
    }
    if (target.equals("anon_inode:[eventpoll]")) {
      return numbers.stream()
          .map(number -> "epoll (descriptor " + number + ") that watches " + watched(number))
          .collect(Collectors.joining(", "));
    }
    return target + " (descriptor " + numbers + ")";
  }

  private static String inode(String target) {
    return target.substring(SOCKET.length(), target.length() - 1);
  }

  /** What a poll watches: the lines "tfd: 12 events: ..." of its description. */
  private static String watched(int number) {
    return lines(Path.of("/proc/self/fdinfo/" + number)).stream()
        .filter(line -> line.startsWith("tfd:"))
        .map(line -> line.trim().split("\\s+", -1)[1])
        .map(watched -> watched + " " + target(DESCRIPTORS.resolve(watched)))
        .toList()
        .toString();
  }

  private static String socket(String inode) {
    for (String protocol : List.of("tcp", "tcp6", "udp", "udp6")) {
      for (String line : lines(TABLES.resolve(protocol))) {
        // sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid timeout inode
        String[] columns = line.trim().split("\\s+", -1);
        if (columns.length > 9 && columns[9].equals(inode)) {
          int state = Integer.parseInt(columns[3], 16);
          String name = protocol.startsWith("tcp") ? " " + TCP_STATES.get(state - 1) : "";
          return protocol + name + " from " + address(columns[1]) + " to " + address(columns[2]);
        }
      }
    }
    return "socket that is neither bound nor connected";
  }

  /**
   * The kernel prints the address as words of the machine's byte order, and the port as a number.
   */
  private static InetSocketAddress address(String column) {
    String[] parts = column.split(":", -1);
    byte[] printed = HexFormat.of().parseHex(parts[0]);
    ByteBuffer bytes = ByteBuffer.allocate(printed.length);
    ByteBuffer words = ByteBuffer.wrap(printed);
    bytes.order(ByteOrder.nativeOrder());
    while (words.hasRemaining()) {
      bytes.putInt(words.getInt());
    }
    try {
      return new InetSocketAddress(
          InetAddress.getByAddress(bytes.array()), Integer.parseInt(parts[1], 16));
    } catch (UnknownHostException e) {
      throw new AssertionError("not an address: " + column, e);
    }
  }

  private static Set<String> unixSockets() {
    // Num RefCount Protocol Flags Type St Inode Path
    return lines(TABLES.resolve("unix")).stream()
        .map(line -> line.trim().split("\\s+", -1))
        .filter(columns -> columns.length > 6)
        .map(columns -> columns[6])
        .collect(Collectors.toSet());
  }

  private static List<String> lines(Path table) {
    try {
      return Files.readAllLines(table);
    } catch (IOException e) {
      return List.of(); // such as tcp6 of a kernel without IPv6
    }
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      return ""; // closed since it was listed, as the listing's own
    }
  }
}
