package io.jgloo.bench.diagnose;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.Objects;
import java.util.StringJoiner;

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
    String start,
    Double us) {

  boolean isCollective() {
    return sequence != null;
  }

  boolean isRunning() {
    return state.equals("running");
  }

  /** Whether both are the same call, as all ranks of a group must make it. */
  boolean agreesWith(Call other) {
    return operation.equals(other.operation)
        && Objects.equals(algorithm, other.algorithm)
        && Objects.equals(type, other.type)
        && Objects.equals(op, other.op)
        && Objects.equals(count, other.count)
        && Objects.equals(root, other.root);
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
