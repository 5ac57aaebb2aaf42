package io.jgloo.architecture;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The words of retired-words.txt, and where a text or a name has one of them. */
final class RetiredWords {

  private static final Pattern WORD = Pattern.compile("[A-Z]?[a-z]+|[A-Z]+(?![a-z])");

  /** What to write instead, by word or phrase in lower case. */
  private final Map<String, String> instead = new TreeMap<>();

  /** "file word" of terms that are not ours. */
  private final Set<String> foreign = new HashSet<>();

  static RetiredWords read() throws IOException {
    RetiredWords words = new RetiredWords();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                RetiredWords.class.getResourceAsStream("retired-words.txt"),
                StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        words.add(line);
      }
    }
    return words;
  }

  private void add(String line) {
    int colon = line.indexOf(": ");
    if (line.startsWith("+ ")) {
      foreign.add(line.substring(2, colon));
    } else if (!line.startsWith("#")) {
      instead.put(line.substring(0, colon), line.substring(colon + 2));
    }
  }

  /** The retired words of a Java name, each with what to write instead. */
  List<String> inName(String name) {
    List<String> found = new ArrayList<>();
    Matcher words = WORD.matcher(name);
    while (words.find()) {
      String retired = retired(words.group().toLowerCase(Locale.ROOT));
      if (retired != null) {
        found.add(name + " (" + retired + ": " + instead.get(retired) + ")");
      }
    }
    return found;
  }

  /** The retired words and phrases of a page, each with its line. */
  List<String> inPage(String file, String text) {
    List<String> found = new ArrayList<>();
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      Set<String> onLine = new HashSet<>();
      String lower = " " + lines.get(i).toLowerCase(Locale.ROOT);
      Matcher words = WORD.matcher(lower);
      while (words.find()) {
        onLine.add(String.valueOf(retired(words.group())));
      }
      for (String phrase : instead.keySet()) {
        boolean isPhrase = !phrase.matches("[a-z]+");
        if (onLine.contains(phrase) || (isPhrase && lower.contains(" " + phrase))) {
          if (!foreign.contains(file + " " + phrase)) {
            found.add(file + ":" + (i + 1) + ": " + phrase + ", write: " + instead.get(phrase));
          }
        }
      }
    }
    return found;
  }

  /** The listed word that this is, or is the plural of; else null. */
  private String retired(String word) {
    for (String singular :
        List.of(
            word,
            word.replaceFirst("s$", ""),
            word.replaceFirst("es$", ""),
            word.replaceFirst("ies$", "y"))) {
      if (instead.containsKey(singular)) {
        return singular;
      }
    }
    return null;
  }
}
