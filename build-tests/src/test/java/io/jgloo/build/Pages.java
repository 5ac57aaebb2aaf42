package io.jgloo.build;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The Markdown files of a folder: their links, anchors and widths. */
final class Pages {

  static final int COLUMNS = 100;

  private static final Set<String> SKIPPED = Set.of("target", ".git", "node_modules");
  private static final Pattern LINK = Pattern.compile("\\]\\(\\s*<?([^)\\s>]+)[^)]*\\)");
  private static final Pattern REFERENCE = Pattern.compile("^\\[[^\\]]+\\]:\\s+(\\S+)");
  private static final Pattern MARKUP = Pattern.compile("(?:src|href)=\"([^\"]+)\"");
  private static final Pattern HEADING = Pattern.compile("^#{1,6}\\s+(.*?)\\s*#*$");
  private static final Pattern ANCHOR = Pattern.compile("<a (?:id|name)=\"([^\"]+)\"");
  private static final Pattern CODE = Pattern.compile("`[^`]*`");

  private Pages() {}

  static List<Path> of(Path root) throws IOException {
    List<Path> pages = new ArrayList<>();
    collect(root, pages);
    return pages;
  }

  private static void collect(Path folder, List<Path> pages) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      for (Path entry : (Iterable<Path>) entries.sorted()::iterator) {
        if (Files.isDirectory(entry)) {
          if (!SKIPPED.contains(entry.getFileName().toString())) {
            collect(entry, pages);
          }
        } else if (entry.toString().endsWith(".md")) {
          pages.add(entry);
        }
      }
    }
  }

  /** Links of a page to files or headings that are not there, each with its line. */
  static List<String> brokenLinks(Path root, Path page) throws IOException {
    List<String> broken = new ArrayList<>();
    List<String> lines = prose(page);
    for (int i = 0; i < lines.size(); i++) {
      String line = CODE.matcher(lines.get(i)).replaceAll("");
      for (Pattern pattern : List.of(LINK, REFERENCE, MARKUP)) {
        Matcher links = pattern.matcher(line);
        while (links.find()) {
          if (!resolves(page, links.group(1))) {
            broken.add(root.relativize(page) + ":" + (i + 1) + ": " + links.group(1));
          }
        }
      }
    }
    return broken;
  }

  private static boolean resolves(Path page, String link) throws IOException {
    if (link.matches("[a-z]+:.*")) {
      return true; // elsewhere: no test of ours needs the network
    }
    int hash = link.indexOf('#');
    String file = hash < 0 ? link : link.substring(0, hash);
    Path target = file.isEmpty() ? page : page.resolveSibling(file).normalize();
    if (!Files.exists(target)) {
      return false;
    }
    return hash < 0
        || !target.toString().endsWith(".md")
        || anchors(target).contains(link.substring(hash + 1));
  }

  /** What GitHub makes of headings, and anchors that are written out. */
  private static Set<String> anchors(Path page) throws IOException {
    Set<String> anchors = new HashSet<>();
    Map<String, Integer> times = new HashMap<>();
    for (String line : prose(page)) {
      Matcher heading = HEADING.matcher(line);
      if (heading.matches()) {
        String slug = slug(heading.group(1));
        int before = times.merge(slug, 1, Integer::sum) - 1;
        anchors.add(before == 0 ? slug : slug + "-" + before);
      }
      Matcher written = ANCHOR.matcher(line);
      while (written.find()) {
        anchors.add(written.group(1));
      }
    }
    return anchors;
  }

  private static String slug(String heading) {
    return heading
        .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N} _-]", "")
        .replace(' ', '-');
  }

  /** Lines of more than 100 columns that could be broken: no table, no code, no long link. */
  static List<String> longLines(Path root, Path page) throws IOException {
    List<String> found = new ArrayList<>();
    List<String> lines = prose(page);
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      boolean table = line.stripLeading().startsWith("|");
      boolean indentedCode = line.startsWith("    ");
      String withoutLinks =
          LINK.matcher(line).replaceAll("]()").replaceAll("https?://\\S+", "").strip();
      if (!table && !indentedCode && columns(withoutLinks) > COLUMNS) {
        found.add(root.relativize(page) + ":" + (i + 1) + ": " + columns(line) + " columns");
      }
    }
    return found;
  }

  private static int columns(String line) {
    return line.codePointCount(0, line.length());
  }

  /** The lines of a page, those of code blocks emptied. */
  private static List<String> prose(Path page) throws IOException {
    List<String> lines = new ArrayList<>();
    boolean code = false;
    for (String line : Files.readAllLines(page)) {
      boolean fence = line.stripLeading().startsWith("```");
      lines.add(code || fence ? "" : line);
      code ^= fence;
    }
    return lines;
  }
}
