package io.jgloo.bench.diagnose;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The record of calls of one rank of a group, as {@code ProcessGroup.dumpCalls} writes it.
 *
 * @param time when it was written
 * @param failure of the group, or null
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record Dump(
    String format,
    String group,
    long epoch,
    int rank,
    int size,
    String time,
    String failure,
    List<Call> calls) {

  /**
   * A recorded call of one rank.
   *
   * @param sequence its number in the group; null for a message
   * @param us microseconds it took or has taken so far; null if it ended at once
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Call(
      Long sequence,
      String operation,
      String algorithm,
      String type,
      String op,
      Long count,
      Integer root,
      Integer peer,
      Long tag,
      long bytes,
      String state,
      Double us) {

    boolean isCollective() {
      return sequence != null;
    }

    boolean isRunning() {
      return state.equals("running");
    }

    /** Whether both are the same call, as all ranks of a group must make it. */
    boolean agreesWith(Call other) {
      return words().equals(other.words());
    }

    /** For people: {@code allreduce(ring) of 1024 float32 SUM}. */
    String words() {
      StringJoiner words = new StringJoiner(" ");
      words.add(algorithm == null ? operation : operation + "(" + algorithm + ")");
      if (type != null) {
        words.add("of " + (count == null ? "blocks of " : count + " ") + type);
      }
      if (op != null) {
        words.add(op);
      }
      if (root != null) {
        words.add("with root " + root);
      }
      if (peer != null) {
        words.add("of " + bytes + " bytes, " + (peer < 0 ? "any rank" : "rank " + peer));
        words.add("tag " + tag);
      }
      return words.toString();
    }
  }

  private static final String FORMAT = "jgloo-calls-1";
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Reads files, and the files {@code *.json} of directories.
   *
   * @throws IllegalArgumentException if there is none, or one is not a record of calls
   */
  static List<Dump> readAll(List<Path> paths) throws IOException {
    List<Dump> dumps = new ArrayList<>();
    for (Path path : paths) {
      if (Files.isDirectory(path)) {
        try (Stream<Path> files = Files.list(path)) {
          for (Path file : files.filter(each -> each.toString().endsWith(".json")).toList()) {
            dumps.add(read(file));
          }
        }
      } else {
        dumps.add(read(path));
      }
    }
    if (dumps.isEmpty()) {
      throw new IllegalArgumentException("there is no file *.json in " + paths);
    }
    return dumps;
  }

  private static Dump read(Path file) throws IOException {
    String text = Files.readString(file);
    Dump dump;
    try {
      dump = JSON.readValue(text, Dump.class);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(file + " is not JSON: " + e.getOriginalMessage(), e);
    }
    if (!FORMAT.equals(dump.format)) {
      throw new IllegalArgumentException(
          file + " must have the format " + FORMAT + ", but has " + dump.format);
    }
    return dump;
  }

  /** The group it belongs to, as it is printed. */
  String groupName() {
    return epoch == 0 ? group : group + "@" + epoch;
  }

  /** Collectives by sequence number. */
  TreeMap<Long, Call> collectives() {
    TreeMap<Long, Call> bySequence = new TreeMap<>();
    calls.stream()
        .filter(Call::isCollective)
        .forEach(call -> bySequence.put(call.sequence(), call));
    return bySequence;
  }

  /** The last collective, if there is one. */
  Optional<Call> last() {
    return Optional.ofNullable(collectives().lastEntry()).map(entry -> entry.getValue());
  }

  /** Messages that have not ended. */
  List<Call> runningMessages() {
    return calls.stream().filter(call -> !call.isCollective() && call.isRunning()).toList();
  }
}
