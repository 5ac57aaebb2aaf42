package io.jgloo.rendezvous.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The variables of a process, of which empty ones count as not set, and those that one would have
 * needed.
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

  /** A number, or 0 after having noted that the variable is missing. */
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

  /** A text, or an empty one after having noted that the variable is missing. */
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

  /** Refuses to go on if something was missing, and names all of it. */
  public void requireAll(String launcher) {
    if (!missing.isEmpty()) {
      throw new IllegalStateException(
          String.format(
              "this process was started by %s, but of what it takes to meet the others these"
                  + " environment variables are not set: %s",
              launcher, String.join(", ", missing)));
    }
  }

  private static String either(String... names) {
    return String.join(" or ", names);
  }
}
