package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A warm allreduce of 4 bytes enters no more classes of ours and takes no more locks than {@code
 * hot-path.txt} says.
 */
@Tag("full")
@Timeout(300)
class HotPathTest {

  /** To be lowered with the numbers in {@code hot-path.txt}, and not to be raised. */
  private static final int MOST_CLASSES = 41;

  private static final int MOST_LOCKINGS = 16;
  private static final int MOST_LOCKS = 6;

  /** The same through cells. */
  private static final int MOST_CELL_CLASSES = 24;

  private static final int MOST_CELL_LOCKINGS = 2;

  /** Entered on JDK 17 to 21 only. */
  private static final String BY_JDK = "io.jgloo.transport.memory.UnsafeHandles";

  private static final Path PAGE = Path.of("src/test/resources/io/jgloo/hot-path.txt");
  private static final int COLUMNS = 98;

  @Test
  void warmCallEntersTheQuotedClasses() throws Exception {
    check("off", MOST_CLASSES, MOST_LOCKINGS, MOST_LOCKS);
  }

  @Test
  void warmCallThroughCellsEntersTheQuotedClasses() throws Exception {
    check("auto", MOST_CELL_CLASSES, MOST_CELL_LOCKINGS, MOST_CELL_LOCKINGS);
  }

  private static void check(String memory, int mostClasses, int mostLockings, int mostLocks)
      throws Exception {
    List<CallTracer.Trace> traces = CallTracer.trace(memory);
    traces.forEach(each -> each.classes().remove(BY_JDK));
    CallTracer.Trace usual = mostFrequent(traces);
    String text = text(usual);
    System.out.println(text);
    assertTrue(usual.classes().size() <= mostClasses, "more than " + mostClasses + " classes");
    assertTrue(usual.countLockings() <= mostLockings, "locks more than " + mostLockings + " x");
    assertTrue(usual.locks() <= mostLocks, "more than " + mostLocks + " locks");
    assertTrue(Files.readString(PAGE).contains(text), PAGE + " should say:\n" + text);
  }

  /**
   * A call may have looked for the peer's message more than once, and on JDK 17 a few calls of a
   * hundred lack events.
   */
  private static CallTracer.Trace mostFrequent(List<CallTracer.Trace> traces) {
    return traces.stream()
        .max(Comparator.comparingInt(each -> Collections.frequency(traces, each)))
        .orElseThrow(() -> new AssertionError("no call was traced"));
  }

  private static String text(CallTracer.Trace trace) {
    StringBuilder text = new StringBuilder();
    text.append("    %d classes:\n".formatted(trace.classes().size()));
    Map<String, TreeSet<String>> byPackage = new TreeMap<>();
    for (String name : trace.classes()) {
      String own = name.substring(0, name.lastIndexOf('.'));
      String simple = name.substring(own.length() + 1).replace('$', '.');
      byPackage.computeIfAbsent(own, each -> new TreeSet<>()).add(simple);
    }
    byPackage.forEach((own, names) -> append(text, own + ": " + String.join(" ", names)));
    text.append("    %d times one of %d locks:\n".formatted(trace.countLockings(), trace.locks()));
    append(
        text,
        trace.lockings().entrySet().stream()
            .map(each -> simple(each.getKey()) + " " + each.getValue() + "x")
            .sorted()
            .collect(Collectors.joining(", ")));
    return text.toString();
  }

  /** Class and method. */
  private static String simple(String method) {
    int owner = method.lastIndexOf('.', method.lastIndexOf('.') - 1);
    return method.substring(owner + 1).replace('$', '.');
  }

  /** Adds words in lines that are not too long. */
  private static void append(StringBuilder text, String words) {
    StringBuilder line = new StringBuilder("     ");
    for (String word : words.split(" ", -1)) {
      if (line.length() + 1 + word.length() > COLUMNS) {
        text.append(line).append('\n');
        line = new StringBuilder("       ");
      }
      line.append(' ').append(word);
    }
    text.append(line).append('\n');
  }
}
