package io.jgloo.rendezvous.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The environment variables of a process, where empty ones count as not set, and the names of those
 * that were required and not set.
 *
 * <p>Threads: one.
 */
public final class Environment {
  private final Map<String, String> variables;
  private final List<String> missing = new ArrayList<>();

  public Environment(Map<String, String> variables) {
    this.variables = variables;
  }

  public Optional<String> find(String name) {
    return Optional.ofNullable(variables.get(name)).map(String::strip).filter(v -> !v.isEmpty());
  }

  public boolean has(String name) {
    return find(name).isPresent();
  }

  /** The first of these that is set. */
  Optional<String> findFirst(String... names) {
    for (String name : names) {
      Optional<String> value = find(name);
      if (value.isPresent()) {
        return value;
      }
    }
    return Optional.empty();
  }

  /** A number; 0 if the variable is not set, which {@link #requireAll} reports. */
  public int number(String... names) {
    return (int) number(Integer.MAX_VALUE, names);
  }

  public long number(long most, String... names) {
    String text = text(names);
    try {
      long value = text.isEmpty() ? 0 : Long.parseLong(text);
      if (value >= 0 && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw notANumber(most, text, e, names);
    }
    throw notANumber(most, text, null, names);
  }

  private static IllegalStateException notANumber(
      long most, String text, Exception cause, String... names) {
    return new IllegalStateException(
        String.format("%s must be a number from 0 to %d, is '%s'", either(names), most, text),
        cause);
  }

  /** A text; empty if the variable is not set, which {@link #requireAll} reports. */
  String text(String... names) {
    return findFirst(names)
        .orElseGet(
            () -> {
              missing.add(either(names));
              return "";
            });
  }

  void missing(String name) {
    missing.add(name);
  }

  /** Refuses an environment in which required variables are not set, and names each. */
  public void requireAll(String launcher) {
    if (!missing.isEmpty()) {
      throw new IllegalStateException(
          String.format(
              "this process was started by %s, but these required environment variables are not"
                  + " set: %s",
              launcher, String.join(", ", missing)));
    }
  }

  private static String either(String... names) {
    return String.join(" or ", names);
  }
}
