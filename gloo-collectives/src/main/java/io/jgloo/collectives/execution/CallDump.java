package io.jgloo.collectives.execution;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.capability.Diagnosis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Writes the record of a rank's last calls as JSON.
 *
 * <p>The form is fixed and flat, so it is written here: the library needs no JSON library of its
 * users. {@code gloo-bench/run diagnose} reads it.
 *
 * <p><em>Threads</em>: any; takes no lock for longer than a copy of the record.
 */
public final class CallDump {

  /** First field of a file; to be changed with the meaning of a field. */
  private static final String FORMAT = "jgloo-calls-1";

  /** Systems allow 255 bytes, of which 60 are for the rest of the name. */
  private static final int LONGEST_NAME = 120;

  /**
   * A call as it was recorded.
   *
   * @param sequence its number, {@link Driver#NONE} for a message
   * @param peer of a message; -1 for any
   * @param start in nanoseconds of the clock, or null if it is not known
   * @param end the same, or null
   */
  record Entry(
      CallKind kind,
      long sequence,
      int peer,
      long tag,
      long bytes,
      String state,
      Long start,
      Long end) {}

  private final Mesh mesh;
  private final Driver driver;

  CallDump(Mesh mesh, Driver driver) {
    this.mesh = mesh;
    this.driver = driver;
  }

  /**
   * Writes the file {@code GROUP@EPOCH-rank-R.json}, in place of one that is there.
   *
   * @param reason why it is written, for its reader
   */
  public Path write(Path directory, String reason) throws IOException {
    Membership own = mesh.membership();
    String group = fileName(own.group());
    Files.createDirectories(directory);
    Path file = directory.resolve(group + "@" + own.epoch() + "-rank-" + own.rank() + ".json");
    Path draft = directory.resolve("." + file.getFileName() + "." + UUID.randomUUID() + ".tmp");
    try {
      Files.writeString(draft, json(reason), UTF_8);
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(draft);
    }
    return file;
  }

  /** A part of a file's name; of a long name the beginning, and a hash of the whole. */
  private static String fileName(String group) {
    String safe = group.replaceAll("[^A-Za-z0-9._-]", "_");
    return safe.length() <= LONGEST_NAME
        ? safe
        : safe.substring(0, LONGEST_NAME) + "-" + Integer.toHexString(group.hashCode());
  }

  /** The record as text. */
  String json(String reason) {
    Instant now = Instant.now();
    long nowNanos = driver.nanoTime();
    Membership own = mesh.membership();
    List<Entry> entries = driver.recordedCalls();
    JGlooException failure = driver.reported();
    Fields fields = new Fields();
    fields.put("format", FORMAT).put("group", own.group()).put("epoch", own.epoch());
    fields.put("rank", own.rank()).put("size", own.size());
    fields.put("pid", ProcessHandle.current().pid()).put("time", now.toString());
    fields.put("reason", reason).put("failure", failure == null ? null : failure.getMessage());
    fields.put("recorded", driver.countRecorded());
    Fields counters = new Fields();
    Map<String, Long> counted = new TreeMap<>(Diagnosis.of(mesh).counters());
    counted.forEach(counters::put);
    StringJoiner calls = new StringJoiner(",\n", "[\n", "\n]");
    entries.forEach(entry -> calls.add(call(entry, now, nowNanos).toString()));
    fields.raw("counters", counters.toString()).raw("calls", calls.toString());
    return fields + "\n";
  }

  private static Fields call(Entry entry, Instant now, long nowNanos) {
    CallKind kind = entry.kind();
    Fields fields = new Fields();
    if (entry.sequence() != Driver.NONE) {
      fields.put("sequence", entry.sequence());
    }
    fields.put("operation", kind.operation()).put("algorithm", kind.algorithm());
    fields.put("type", kind.type()).put("op", kind.op());
    if (kind.count() >= 0) {
      fields.put("count", kind.count());
    }
    if (kind.root() >= 0) {
      fields.put("root", kind.root());
    }
    if (entry.sequence() == Driver.NONE) {
      fields.put("peer", entry.peer()).put("tag", entry.tag());
    }
    fields.put("bytes", entry.bytes()).put("state", entry.state());
    if (entry.start() != null) {
      fields.put("start", now.minusNanos(nowNanos - entry.start()).toString());
      long end = entry.end() == null ? nowNanos : entry.end();
      fields.raw("us", String.format(Locale.ROOT, "%.1f", (end - entry.start()) / 1e3));
    }
    return fields;
  }

  /** The fields of a JSON object, in the order in which they are put; null values are left out. */
  private static final class Fields {
    private final StringJoiner text = new StringJoiner(",", "{", "}");

    Fields put(String name, String value) {
      return value == null ? this : raw(name, quoted(value));
    }

    Fields put(String name, long value) {
      return raw(name, Long.toString(value));
    }

    Fields raw(String name, String json) {
      text.add(quoted(name) + ":" + json);
      return this;
    }

    private static String quoted(String value) {
      StringBuilder out = new StringBuilder("\"");
      value
          .chars()
          .forEach(
              each -> {
                if (each == '"' || each == '\\') {
                  out.append('\\').append((char) each);
                } else if (each < ' ' || Character.isSurrogate((char) each)) {
                  out.append(String.format(Locale.ROOT, "\\u%04x", each));
                } else {
                  out.append((char) each);
                }
              });
      return out.append('"').toString();
    }

    @Override
    public String toString() {
      return text.toString();
    }
  }
}
