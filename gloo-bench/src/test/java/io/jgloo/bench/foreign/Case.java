package io.jgloo.bench.foreign;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * One line of a plan, as {@code allreduce type=float32 reduce=sum count=1000}; the C++ driver reads
 * the same lines.
 *
 * @param operation a collective
 */
public record Case(String line, String operation, Map<String, String> values) {

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Case of(String line) {
    String[] words = line.strip().split("\\s+", -1);
    Map<String, String> values = new HashMap<>();
    for (int i = 1; i < words.length; i++) {
      int equals = words[i].indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException("no '=' in '" + words[i] + "' of '" + line + "'");
      }
      values.put(words[i].substring(0, equals), words[i].substring(equals + 1));
    }
    if (words[0].isEmpty()) {
      throw new IllegalArgumentException("no operation in '" + line + "'");
    }
    return new Case(line, words[0], Map.copyOf(values));
  }

  String text(String key, String otherwise) {
    return values.getOrDefault(key, otherwise);
  }

  long number(String key, long otherwise) {
    String text = values.get(key);
    try {
      return text == null ? otherwise : Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(key + " is '" + text + "' in '" + line + "'", e);
    }
  }

  int count() {
    return Math.toIntExact(number("count", 0));
  }

  int root() {
    return Math.toIntExact(number("root", 0));
  }

  DataType type() {
    return DataType.valueOf(text("type", "float32").toUpperCase(Locale.ROOT));
  }

  ReduceOp op() {
    return ReduceOp.named(text("reduce", "sum"));
  }
}
