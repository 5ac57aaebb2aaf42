package io.jgloo.bench.command;

import java.util.Collection;
import java.util.Locale;

/** Names as users type them: in any case, with or without hyphens. */
public final class Names {
  private Names() {}

  /**
   * Returns the known name that a word means.
   *
   * @param what the word is, for the message
   * @throws IllegalArgumentException if there is none
   */
  public static String known(String what, String word, Collection<String> names) {
    return names.stream()
        .filter(name -> plain(name).equals(plain(word)))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    what + " is '" + word + "', but must be one of " + String.join(", ", names)));
  }

  private static String plain(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[-_]", "");
  }
}
