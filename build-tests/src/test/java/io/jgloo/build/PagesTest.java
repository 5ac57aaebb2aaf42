package io.jgloo.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Links between pages lead somewhere, and lines have at most 100 columns. */
@Timeout(180)
final class PagesTest {

  /** Pages that still have longer lines. This list only shrinks. */
  private static final Set<String> WIDE_NOT_YET = Set.of();

  @TempDir private Path folder;

  @Test
  void relativeLinks_leadToFilesAndHeadings() throws IOException {
    List<String> broken = new ArrayList<>();
    List<Path> pages = Pages.of(OwnClasses.ROOT);
    assertTrue(pages.size() > 5, "pages not found under " + OwnClasses.ROOT);
    for (Path page : pages) {
      broken.addAll(Pages.brokenLinks(OwnClasses.ROOT, page));
    }
    assertEquals(List.of(), broken);
  }

  @Test
  void lines_haveAtMost100Columns() throws IOException {
    Map<String, List<String>> found = new TreeMap<>();
    for (Path page : Pages.of(OwnClasses.ROOT)) {
      List<String> lines = Pages.longLines(OwnClasses.ROOT, page);
      if (!lines.isEmpty()) {
        found.put(OwnClasses.ROOT.relativize(page).toString(), lines);
      }
    }
    Set<String> finished = new TreeSet<>(WIDE_NOT_YET);
    finished.removeAll(found.keySet());
    found.keySet().removeAll(WIDE_NOT_YET);
    assertEquals(Map.of(), found);
    assertEquals(Set.of(), finished, "have no long lines any more: take them off the list");
  }

  @Test
  void plantedBrokenLinks_areFound() throws IOException {
    Files.writeString(folder.resolve("B.md"), "# One `two` three\n\n## Twice\n## Twice\n");
    Path page =
        Files.writeString(
            folder.resolve("A.md"),
            """
            # Here
            [a](B.md) [b](B.md#one-two-three) [c](#here) [d](B.md#twice-1) [e](https://x.invalid)
            [f](C.md) [g](B.md#two) [h](#there) `[i](D.md)`
            ```
            [j](E.md)
            ```
            [ref]: F.md
            <img src="G.png">
            """);
    assertEquals(
        List.of(
            "A.md:3: C.md", "A.md:3: B.md#two", "A.md:3: #there", "A.md:7: F.md", "A.md:8: G.png"),
        Pages.brokenLinks(folder, page));
  }

  @Test
  void plantedLongLine_isFound() throws IOException {
    String words = "word ".repeat(21);
    Path page =
        Files.writeString(
            folder.resolve("A.md"),
            String.join(
                "\n",
                words.strip(),
                "| " + words,
                "    " + words,
                "```",
                words,
                "```",
                "See [a page](https://example.invalid/" + "x".repeat(100) + ")."));
    assertEquals(List.of("A.md:1: 104 columns"), Pages.longLines(folder, page));
  }
}
