package io.jgloo.bench;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Names as users type them: in any case, with or without hyphens. */
public final class Names {
  private Names() {}

  /**
   * The known name that a word means.
   *
   * @param what the word is, for the message
   * @throws IllegalArgumentException if there is none; suggests the nearest
   */
  public static String known(String what, String word, Collection<String> names) {
    return names.stream()
        .filter(name -> plain(name).equals(plain(word)))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    what
                        + " is '"
                        + word
                        + "', but must be one of "
                        + String.join(", ", names)
                        + nearest(word, names)
                            .map(near -> ": did you mean " + near + "?")
                            .orElse("")));
  }

  private static String plain(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[-_]", "");
  }

  /** The name that takes the fewest edits, if that is at most half of the word. */
  private static Optional<String> nearest(String word, Collection<String> names) {
    return names.stream()
        .min(Comparator.comparing(name -> edits(plain(word), plain(name))))
        .filter(name -> 2 * edits(plain(word), plain(name)) <= word.length());
  }

  /** Characters to insert, remove or replace to make one word the other. */
  private static int edits(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j - 1], row[j]));
      }
    }
    return row[to.length()];
  }
}
