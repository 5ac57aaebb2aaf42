package io.jgloo.rendezvous.store.redis;

import io.jgloo.transport.FreePort;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A real redis-server of one's own on this machine, if there is one installed. */
final class RedisServer implements AutoCloseable {
  private final Process process;
  private final int port;

  private RedisServer(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Where it is installed. */
  static Optional<Path> program() {
    return Stream.of(System.getenv("PATH").split(":"))
        .map(directory -> Path.of(directory, "redis-server"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  static RedisServer start(Path directory) throws IOException {
    int port = FreePort.choose();
    List<String> command =
        List.of(
            program().orElseThrow().toString(),
            "--port",
            Integer.toString(port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--dir",
            directory.toString());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.contains("Ready to accept connections")) {
        return new RedisServer(process, port);
      }
    }
    throw new IOException("redis-server ended before it was ready");
  }

  int port() {
    return port;
  }

  String url() {
    return "redis://127.0.0.1:" + port;
  }

  /** Forgets everything; also a command in the words of the protocol, as C++ Gloo's client. */
  String command(String... words) throws IOException {
    StringBuilder request = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) {
      request.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
    }
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.ISO_8859_1));
      BufferedReader answer =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
      String first = answer.readLine();
      return first.startsWith("$") ? answer.readLine() : first;
    }
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
