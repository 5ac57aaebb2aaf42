package io.jgloo.bench.compare;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Processes that work together: started together, waited for together, ended together.
 *
 * <p><em>Owns</em>: the processes, what they start, and their output files. <em>Fails</em>: with
 * the words of the first process that ends with a code, or at the deadline.
 */
final class Job implements AutoCloseable {

  private static final int MOST_WORDS = 400;
  private static final long LOOK_MILLIS = 20;

  private final List<Process> processes = new ArrayList<>();
  private final Path folder;

  private Job(Path folder) {
    this.folder = folder;
  }

  /**
   * Runs commands to their ends.
   *
   * @return the lines the first one printed
   */
  static List<String> run(List<List<String>> commands, Duration patience)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("jgloo-job");
    try (Job job = new Job(folder)) {
      for (List<String> command : commands) {
        job.start(command);
      }
      job.await(System.nanoTime() + patience.toNanos(), commands.get(0).get(0));
      return Files.readAllLines(job.output(0));
    }
  }

  /** The same with a single process. */
  static List<String> run(Duration patience, List<String> command)
      throws IOException, InterruptedException {
    return run(List.of(command), patience);
  }

  private void start(List<String> command) throws IOException {
    int number = processes.size();
    processes.add(
        new ProcessBuilder(command)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(output(number).toFile())
            .redirectError(errors(number).toFile())
            .start());
  }

  private Path output(int number) {
    return folder.resolve("out-" + number);
  }

  private Path errors(int number) {
    return folder.resolve("err-" + number);
  }

  private void await(long deadline, String what) throws IOException, InterruptedException {
    for (int left = processes.size(); left > 0; ) {
      left = 0;
      for (int number = 0; number < processes.size(); number++) {
        Process process = processes.get(number);
        if (process.isAlive()) {
          left++;
        } else if (process.exitValue() != 0) {
          throw new IOException(
              what + " ended with code " + process.exitValue() + ": " + words(number));
        }
      }
      if (left > 0 && System.nanoTime() - deadline > 0) {
        throw new IOException(what + " did not end in time: " + words(0));
      }
      if (left > 0) {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      }
    }
  }

  /** The beginning of what a process complained of: the rest are consequences and stacks. */
  private String words(int number) throws IOException {
    String text = new String(Files.readAllBytes(errors(number)), UTF_8).strip();
    return text.substring(0, Math.min(text.length(), MOST_WORDS)).replace('\n', ' ');
  }

  @Override
  public void close() throws IOException {
    for (Process process : processes) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    TemporaryFolder.delete(folder);
  }
}
