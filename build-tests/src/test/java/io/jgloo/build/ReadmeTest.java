package io.jgloo.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.bench.process.Job;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;

/** The program in the README compiles, and does what the README says. */
@Timeout(300)
class ReadmeTest {

  @TempDir private Path folder;

  @Test
  void theProgramPrintsTheSumAtBothRanks() throws Exception {
    assertEquals(List.of("Sum"), PageCode.compile(PageCode.page("README.md"), folder));
    List<Process> ranks = new ArrayList<>();
    String store = "tcp://127.0.0.1:" + Job.freePort();
    try {
      for (int rank = 0; rank < 2; rank++) {
        ranks.add(PageCode.start(folder, "Sum", "" + rank, "2", store));
      }
      for (int rank = 0; rank < 2; rank++) {
        String output =
            new String(ranks.get(rank).getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(ranks.get(rank).waitFor(60, TimeUnit.SECONDS), "rank " + rank + " hangs");
        assertTrue(output.contains("rank " + rank + ": [1.0, 2.0, 4.0]"), output);
      }
    } finally {
      ranks.forEach(Process::destroyForcibly);
    }
  }

  /** With Maven 3.8's own plugins, which know source and target alone. */
  @Test
  void pomOfThePage_isWhole() throws Exception {
    String page = Files.readString(PageCode.page("README.md"));
    int start = page.indexOf("```xml\n") + 7;
    byte[] pom = page.substring(start, page.indexOf("```", start)).getBytes(StandardCharsets.UTF_8);
    Element project =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(pom))
            .getDocumentElement();
    assertEquals("project", project.getTagName());
    assertEquals("17", text(project, "maven.compiler.source"));
    assertEquals("17", text(project, "maven.compiler.target"));
    String parent = Files.readString(PageCode.page("pom.xml"));
    Element management = (Element) project.getElementsByTagName("dependencyManagement").item(0);
    String version = text(management, "version");
    assertTrue(parent.contains("<version>" + version + "</version>"), version);
  }

  private static String text(Element element, String name) {
    return element.getElementsByTagName(name).item(0).getTextContent();
  }
}
