package io.jgloo.bench.soak;

import io.jgloo.bench.process.Job;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Programs of the system: signals, and connections between processes. */
final class Programs {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private Programs() {}

  /** What a program prints. */
  static List<String> run(List<String> command) throws IOException, InterruptedException {
    return Job.run(PATIENCE, command);
  }

  /** Throws, with the reason, unless {@code ss} can end connections here. */
  static void requireCut() throws IOException, InterruptedException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket accepted = server.accept()) {
      String own = "127.0.0.1:" + client.getLocalPort();
      run(List.of("ss", "-tnK", "src", own, "dst", "127.0.0.1:" + client.getPort()));
      accepted.setSoTimeout((int) PATIENCE.toMillis() / 10);
      int unused = accepted.getInputStream().read();
      throw new IOException("ss -K does not end connections");
    } catch (SocketException e) {
      // It was ended.
    }
  }

  /**
   * Ends the TCP connections between two processes, by {@code ss --kill}, which needs root.
   *
   * @return the instant before the first was ended
   * @throws IOException if they have no connection
   */
  static long cut(long pid, long other) throws IOException, InterruptedException {
    List<String> lines = run(List.of("ss", "-tnpH", "state", "established"));
    List<String[]> own = connections(lines, pid);
    List<List<String>> commands = new ArrayList<>();
    for (String[] theirs : connections(lines, other)) {
      for (String[] ours : own) {
        if (ours[0].equals(theirs[1]) && ours[1].equals(theirs[0])) {
          commands.add(List.of("ss", "-tnK", "src", ours[0], "dst", ours[1]));
        }
      }
    }
    if (commands.isEmpty()) {
      throw new IOException("processes " + pid + " and " + other + " have no TCP connection");
    }
    long instant = System.nanoTime();
    for (List<String> command : commands) {
      run(command);
    }
    return instant;
  }

  /** Local and remote address of each connection of a process. */
  private static List<String[]> connections(List<String> lines, long pid) {
    List<String[]> found = new ArrayList<>();
    for (String line : lines) {
      if (line.contains("pid=" + pid + ",")) {
        String[] cells = line.trim().split(" +", -1);
        // [::ffff:127.0.0.1]:80 and 127.0.0.1:80 are the same
        found.add(new String[] {plain(cells[2]), plain(cells[3])});
      }
    }
    return found;
  }

  private static String plain(String address) {
    return address.replaceFirst("^\\[::ffff:([0-9.]+)]", "$1");
  }
}
