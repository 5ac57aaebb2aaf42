package io.jgloo.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * docs/faults.md has a row for each fault of the catalogue, and the tests that it names exist.
 *
 * <p>A row ends with tests as {@code `Class.method`}, with the reason why it is {@code open}, or
 * with both if the tests show only a part.
 */
@Timeout(100)
final class FaultCatalogueTest {

  private static final Path PAGE = OwnClasses.ROOT.resolve("docs/faults.md");

  /** How many faults each letter has. */
  private static final Map<String, Integer> CASES =
      Map.of("F", 11, "N", 15, "R", 14, "B", 12, "P", 8, "E", 10);

  private static final Pattern ROW = Pattern.compile("\\| ([A-Z][0-9]{2}) \\|.*\\|([^|]*)\\|");
  private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+)\\.(\\w+)`");
  private static final Pattern OPEN = Pattern.compile("open: [^|]{20,}");
  private static final Pattern TOTALS =
      Pattern.compile(
          "Of the (\\d+) faults (\\d+) have tests, (\\d+) have tests of a part, (\\d+) (?:is|are) open\\.");

  /** The numbers of all faults. */
  static List<String> faults() {
    List<String> faults = new ArrayList<>();
    new TreeMap<>(CASES)
        .forEach(
            (letter, count) -> {
              for (int i = 1; i <= count; i++) {
                faults.add(letter + (i < 10 ? "0" : "") + i);
              }
            });
    return faults;
  }

  /** The last cell of each row. */
  private static Map<String, String> rows(List<String> lines) {
    Map<String, String> rows = new LinkedHashMap<>();
    for (String line : lines) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        String before = rows.put(row.group(1), row.group(2));
        assertEquals(null, before, row.group(1) + " has two rows");
      }
    }
    return rows;
  }

  /** What is wrong with a page: faults without a row, tests that do not exist. */
  private static List<String> mistakes(List<String> lines, TestMethods methods) {
    Map<String, String> rows = rows(lines);
    List<String> mistakes = new ArrayList<>();
    for (String id : faults()) {
      if (!rows.containsKey(id)) {
        mistakes.add(id + " has no row");
      }
    }
    int all = faults().size();
    if (mistakes.isEmpty() && rows.size() != all) {
      mistakes.add(rows.size() + " rows instead of " + all);
    }
    rows.forEach((id, cell) -> mistakes.addAll(mistakesOf(id, cell, methods)));
    return mistakes;
  }

  private static List<String> mistakesOf(String id, String cell, TestMethods methods) {
    List<String> mistakes = new ArrayList<>();
    Matcher test = TEST.matcher(cell);
    boolean named = false;
    while (test.find()) {
      named = true;
      if (!methods.contains(test.group(1), test.group(2))) {
        mistakes.add(id + " names " + test.group() + ", which is no test that runs");
      }
    }
    if (!named && !OPEN.matcher(cell).find()) {
      mistakes.add(id + " has neither a test nor a reason why it is open");
    }
    return mistakes;
  }

  @Test
  void eachFault_hasTestsThatExistOrAReason() throws IOException {
    TestMethods methods = TestMethods.of(OwnClasses.ROOT);
    assertEquals(List.of(), mistakes(Files.readAllLines(PAGE), methods));
  }

  @Test
  void totals_areThoseOfTheRows() throws IOException {
    Matcher totals = TOTALS.matcher(Files.readString(PAGE).replace('\n', ' '));
    assertTrue(totals.find(), PAGE + " must say: " + TOTALS);
    int[] counted = new int[4];
    for (String cell : rows(Files.readAllLines(PAGE)).values()) {
      boolean open = OPEN.matcher(cell).find();
      boolean tested = TEST.matcher(cell).find();
      counted[0]++;
      counted[!open ? 1 : tested ? 2 : 3]++;
    }
    for (int i = 0; i < counted.length; i++) {
      assertEquals(counted[i], Integer.parseInt(totals.group(1 + i)), totals.group());
    }
  }

  @Test
  void plantedMistakes_areFound() throws IOException {
    TestMethods methods = TestMethods.of(OwnClasses.ROOT);
    List<String> lines = new ArrayList<>(Files.readAllLines(PAGE));
    lines.removeIf(line -> line.startsWith("| N05 |"));
    lines.replaceAll(line -> line.startsWith("| B01 |") ? "| B01 | count | error | |" : line);
    lines.replaceAll(
        line -> line.startsWith("| B02 |") ? "| B02 | a | b | `DisagreementTest.none` |" : line);
    lines.replaceAll(
        line -> line.startsWith("| B03 |") ? "| B03 | a | b | `NoSuchTest.calls` |" : line);
    lines.replaceAll(
        line -> line.startsWith("| B04 |") ? "| B04 | a | b | `Planted.thrower` |" : line);
    List<String> mistakes = mistakes(lines, methods);
    assertEquals(5, mistakes.size(), mistakes::toString);
    assertTrue(mistakes.contains("N05 has no row"), mistakes::toString);
  }
}
