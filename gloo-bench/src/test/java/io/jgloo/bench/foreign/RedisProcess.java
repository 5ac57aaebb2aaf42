package io.jgloo.bench.foreign;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.bench.process.Job;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A redis-server for one test.
 *
 * @param url where it is
 */
record RedisProcess(Process process, String url) implements AutoCloseable {

  /** Starts one; skips the test where none is installed. */
  static RedisProcess start(Path folder) throws IOException {
    assumeTrue(
        Stream.of(System.getenv("PATH").split(":", -1))
            .anyMatch(path -> Files.isExecutable(Path.of(path, "redis-server"))),
        "no redis-server on the PATH (Debian: redis-server)");
    int port = Job.freePort();
    List<String> command =
        List.of("redis-server", "--bind", "127.0.0.1", "--save", "", "--port", "" + port);
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    String line = out.readLine();
    while (line != null && !line.contains("Ready to accept connections")) {
      line = out.readLine();
    }
    if (line == null) {
      throw new IOException("redis-server ended before it was ready");
    }
    return new RedisProcess(process, "redis://127.0.0.1:" + port);
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
