package io.jgloo.transport.tcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.transport.ShortJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A process that runs {@link PairwiseMain}: it is told what to do line by line, and answers. */
final class PairwiseProcess implements AutoCloseable {

  private final int rank;
  private final Process process;
  private final BufferedReader output;
  private final Path log;
  private final String address;

  private PairwiseProcess(int rank, Process process, Path log) throws IOException {
    this.rank = rank;
    this.process = process;
    this.log = log;
    output = process.inputReader(UTF_8);
    address = hear();
  }

  /**
   * Starts one, and returns when its mesh has an address.
   *
   * @param around a command that sets something up and runs what follows it
   * @param flags further ones of the JVM
   * @param attributes of the device, as name=value
   */
  static PairwiseProcess start(
      Path folder,
      int rank,
      int size,
      List<String> around,
      List<String> flags,
      List<String> attributes)
      throws IOException {
    List<String> command = new ArrayList<>(around);
    command.addAll(ShortJvm.command("-Xmx128m"));
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(PairwiseMain.class.getName(), "" + rank, "" + size));
    command.addAll(attributes);
    Path log = Files.createTempFile(folder, "rank-" + rank + "-", ".log");
    Process process = new ProcessBuilder(command).redirectError(log.toFile()).start();
    return new PairwiseProcess(rank, process, log);
  }

  long pid() {
    return process.pid();
  }

  /** What it has written to standard error. */
  String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }

  void tell(String line) throws IOException {
    process.outputWriter(UTF_8).append(line).append('\n').flush();
  }

  /** The next line of a process that has not ended. */
  String hear() throws IOException {
    String line = output.readLine();
    if (line == null) {
      throw new AssertionError("rank " + rank + " has ended:\n" + log());
    }
    return line;
  }

  String ask(String line) throws IOException {
    tell(line);
    return hear();
  }

  /** Connects all of them to each other. */
  static void connect(List<PairwiseProcess> ranks) throws IOException {
    String addresses = ranks.stream().map(rank -> rank.address).collect(Collectors.joining(" "));
    for (PairwiseProcess each : ranks) {
      each.tell("connect " + addresses);
    }
    for (PairwiseProcess each : ranks) {
      assertEquals("connected", each.hear(), each::log);
    }
  }

  /** Has each of them exchange bytes with each other one. */
  static void exchange(List<PairwiseProcess> ranks) throws IOException {
    for (PairwiseProcess each : ranks) {
      each.tell(
          ranks.stream()
              .filter(peer -> peer != each)
              .map(peer -> " " + peer.rank)
              .collect(Collectors.joining("", "exchange", "")));
    }
    for (PairwiseProcess each : ranks) {
      assertEquals("exchanged", each.hear(), each::log);
    }
  }

  /** SIGKILL; returns when it has ended. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
