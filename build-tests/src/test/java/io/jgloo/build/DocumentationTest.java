package io.jgloo.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tables and quoted messages of the documentation, compared with the code. */
@Timeout(180)
class DocumentationTest {

  /** Letters of a quoted message that come from the code; the others are names and values. */
  private static final double SHARE = 0.7;

  private static final Pattern MESSAGES = Pattern.compile("(?m)^ {4}\\S.*(\\n {6}.*)*");
  private static final String GROUP = "gloo-collectives/src/main/java/io/jgloo/ProcessGroup.java";
  private static final Pattern METHOD =
      Pattern.compile(
          "/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\n  public [^={(]*?(\\w+)\\(([^{;]*)\\) \\{");
  private static final String CONNECTING =
      "(barrier|monitoredBarrier|init|connect|split|newGroup).*";
  private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\\n]|\\\\.)*)\"");
  private static final String PLACEHOLDER = "%[-0-9.,]*[a-zA-Z]|\\{\\d}";

  @Test
  void attributesOfDevicesAreThoseOfTheCode() throws IOException {
    assertEquals(
        known("transport", "tcp/TcpAttributes"),
        firstColumn("operations", "## Attributes of device tcp"));
    assertEquals(
        known("ibverbs", "ibverbs/IbverbsAttributes"),
        firstColumn("operations", "## Attributes of device ibverbs"));
  }

  @Test
  void environmentVariablesAreThoseOfTheCode() throws IOException {
    String code =
        source("transport") + source("ibverbs") + source("rendezvous") + source("collectives");
    Set<String> read = new TreeSet<>();
    for (MatchResult name : matches(Pattern.compile("\"(GLOO_[A-Z_]+)\""), code)) {
      read.add(name.group(1));
    }
    Set<String> listed = firstColumn("operations", "## Environment variables");
    for (String name : listed) {
      boolean suffix = name.startsWith("_"); // of the name before
      assertTrue(code.contains((suffix ? "" : "\"") + name + "\""), name + " is not read");
    }
    assertTrue(listed.containsAll(read), read + " are read, " + listed + " are listed");
  }

  @Test
  void callsOfAGroup_nameWhatTheyThrow() throws IOException {
    String code = Files.readString(OwnClasses.ROOT.resolve(GROUP));
    List<String> silent = new ArrayList<>();
    int found = 0;
    for (MatchResult method : matches(METHOD, code)) {
      boolean moves = method.group(3).matches("(?s).*(Payload|ObjectCodec).*");
      if (moves || method.group(2).matches(CONNECTING)) {
        found++;
        if (!method.group(1).contains("@throws JGlooException")
            || (moves && !method.group(1).contains("@throws IllegalArgumentException"))) {
          silent.add(method.group(2) + "(" + method.group(3) + ")");
        }
      }
    }
    assertEquals(List.of(), silent);
    assertTrue(found > 40, "only " + found);
  }

  /** So that the class that java.util.logging prints is the logger to configure. */
  @Test
  void loggersHaveTheNameOfTheClassThatLogs() throws IOException {
    Pattern logger = Pattern.compile("System\\.getLogger\\((\\w+)\\.class");
    List<String> foreign = new ArrayList<>();
    int found = 0;
    for (String module : List.of("transport", "rendezvous", "collectives", "rpc", "ps")) {
      Path sources = OwnClasses.ROOT.resolve("gloo-" + module + "/src/main/java");
      try (Stream<Path> files = Files.walk(sources)) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          for (MatchResult name : matches(logger, Files.readString(file))) {
            found++;
            if (!file.endsWith(name.group(1) + ".java")) {
              foreign.add(file.getFileName() + ": " + name.group());
            }
          }
        }
      }
    }
    assertEquals(List.of(), foreign);
    assertTrue(found > 20, "only " + found);
  }

  @Test
  void messagesInErrorsAreQuotedFromTheCode() throws IOException {
    List<String> fragments =
        fragments(source("transport") + source("ibverbs") + source("rendezvous"));
    fragments.addAll(fragments(source("collectives")));
    fragments.sort(Comparator.comparingInt(String::length).reversed());
    List<String> foreign = new ArrayList<>();
    for (MatchResult match : matches(MESSAGES, page("errors"))) {
      String message = match.group().strip().replaceAll("\\n +", " ");
      String rest = message;
      for (String fragment : fragments) {
        rest = rest.replace(fragment, " ");
      }
      if (letters(rest) > (1 - SHARE) * letters(message)) {
        foreign.add(message);
      }
    }
    assertEquals(List.of(), foreign, "messages that the code does not have");
  }

  private static long letters(String text) {
    return text.chars().filter(Character::isLetter).count();
  }

  /** What is constant in the strings of a source, at least four characters each. */
  private static List<String> fragments(String source) {
    String joined = source.replaceAll("\"\\s*\\+\\s*\"", "");
    return matches(LITERAL, joined).stream()
        .flatMap(literal -> Stream.of(literal.group(1).split(PLACEHOLDER)))
        .filter(fragment -> fragment.strip().length() >= 4)
        .distinct()
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private static Set<String> known(String library, String source) throws IOException {
    String file = "gloo-%s/src/main/java/io/jgloo/transport/%s.java".formatted(library, source);
    String text = Files.readString(OwnClasses.ROOT.resolve(file));
    int start = text.indexOf("Set<String> KNOWN");
    String set = text.substring(start, text.indexOf(';', start));
    return matches(LITERAL, set).stream()
        .map(name -> name.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The names in code spans of the first column of the tables of a section. */
  private static Set<String> firstColumn(String page, String heading) throws IOException {
    String text = page(page);
    int start = text.indexOf("\n" + heading);
    assertTrue(start >= 0, page + " has no section " + heading);
    int end = text.indexOf("\n## ", start + 1);
    Set<String> names = new TreeSet<>();
    for (String line : text.substring(start, end < 0 ? text.length() : end).split("\n", -1)) {
      if (line.startsWith("| `")) {
        String column = line.split("\\|", -1)[1];
        matches(Pattern.compile("`([\\w-]+)`"), column).forEach(name -> names.add(name.group(1)));
      }
    }
    return names;
  }

  private static String page(String name) throws IOException {
    return Files.readString(OwnClasses.ROOT.resolve("docs/" + name + ".md"));
  }

  private static String source(String module) throws IOException {
    StringBuilder text = new StringBuilder();
    try (Stream<Path> files =
        Files.walk(OwnClasses.ROOT.resolve("gloo-" + module + "/src/main/java"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
        text.append(Files.readString(file));
      }
    }
    return text.toString();
  }

  private static List<MatchResult> matches(Pattern pattern, String text) {
    return pattern.matcher(text).results().toList();
  }
}
