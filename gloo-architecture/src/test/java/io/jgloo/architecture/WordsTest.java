package io.jgloo.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Names and pages use standard terms: see retired-words.txt. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class WordsTest {

  /** Modules whose names still have retired words. This list only shrinks. */
  private static final Set<String> NAMES_NOT_YET = Set.of();

  /** Pages that still have retired words. This list only shrinks. */
  private static final Set<String> PAGES_NOT_YET = Set.of();

  @TempDir private Path folder;
  private RetiredWords words;

  @BeforeAll
  void readWords() throws IOException {
    words = RetiredWords.read();
  }

  @Test
  void namesInTheCode_areStandardTerms() throws IOException {
    assertOnlyIn(NAMES_NOT_YET, inNames(OwnClasses.ROOT));
  }

  @Test
  void wordsOfPages_areStandardTerms() throws IOException {
    assertOnlyIn(PAGES_NOT_YET, inPages(OwnClasses.ROOT));
  }

  private static void assertOnlyIn(Set<String> notYet, Map<String, List<String>> found) {
    Map<String, List<String>> refused = new TreeMap<>(found);
    refused.keySet().removeAll(notYet);
    assertEquals(Map.of(), refused, "retired words");
    Set<String> finished = new TreeSet<>(notYet);
    finished.removeAll(found.keySet());
    assertEquals(Set.of(), finished, "have no retired words any more: take them off the list");
  }

  @Test
  void plantedNames_areFound() throws IOException {
    Path sources = Files.createDirectories(folder.resolve("module/src"));
    Files.writeString(
        sources.resolve("A.java"),
        """
        package visitors;
        class SeatRow {
          /** A roster is fine in a comment here, and in a string. */
          String text = "roster";
          int straySum(int guestCount) { int VERDICTS = 1; return VERDICTS; }
          void planes() {}
        }
        """);
    assertEquals(
        List.of(
            "SeatRow (seat: pair number)",
            "VERDICTS (verdict: status, result)",
            "guestCount (guest: incoming connection)",
            "straySum (stray: unexpected message)",
            "visitors (visitor: connection)"),
        inNames(folder).get("module"));
  }

  @Test
  void plantedWordsOfAPage_areFound() throws IOException {
    Files.writeString(
        folder.resolve("PAGE.md"), "All is well.\nNobody\nis told; Obituaries. Lost: all\n");
    assertEquals(
        List.of(
            "PAGE.md:2: nobody, write: no rank, no thread",
            "PAGE.md:3: is told, write: receives, is reported to",
            "PAGE.md:3: lost:, write: Rejected alternative:",
            "PAGE.md:3: obituary, write: failure notice"),
        inPages(folder).get("PAGE.md"));
    assertFalse(words.inPage("native/verbs-vm/README.md", "the host").contains("guest"));
    assertEquals(List.of(), words.inPage("native/verbs-vm/README.md", "the guest"));
  }

  private Map<String, List<String>> inNames(Path root) throws IOException {
    Map<String, Set<String>> found = new TreeMap<>();
    SourceTrees.parse(
        SourceTrees.files(root, ".java"),
        (unit, positions) -> {
          Path file = root.relativize(Path.of(unit.getSourceFile().toUri()));
          for (String name : SourceTrees.declaredNames(unit)) {
            for (String hit : words.inName(name)) {
              found.computeIfAbsent(file.getName(0).toString(), m -> new TreeSet<>()).add(hit);
            }
          }
        });
    Map<String, List<String>> lists = new TreeMap<>();
    found.forEach((module, hits) -> lists.put(module, List.copyOf(hits)));
    return lists;
  }

  private Map<String, List<String>> inPages(Path root) throws IOException {
    Map<String, List<String>> found = new TreeMap<>();
    for (Path page : Pages.of(root)) {
      String name = root.relativize(page).toString();
      List<String> hits = new ArrayList<>(words.inPage(name, Files.readString(page)));
      if (!hits.isEmpty()) {
        found.put(name, hits);
      }
    }
    return found;
  }
}
