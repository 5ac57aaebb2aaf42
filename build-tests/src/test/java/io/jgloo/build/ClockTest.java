package io.jgloo.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Timeouts do not depend on the time of day, which may be set at any moment. */
@Timeout(60)
final class ClockTest {

  private static final Set<String> OF_DAY =
      Set.of(
          "java.lang.System.currentTimeMillis",
          "java.time.Instant.now",
          "java.time.LocalDateTime.now",
          "java.time.ZonedDateTime.now",
          "java.time.Clock.systemUTC",
          "java.time.Clock.systemDefaultZone");

  /** What the time of day is right for. */
  private static final Map<String, String> KNOWN =
      Map.of(
          "io.jgloo.transport.tls.TlsContext",
          "certificates end at a date",
          "io.jgloo.collectives.execution.CallDump",
          "people compare the times of calls with logs");

  private static List<String> readers(Iterable<JavaClass> classes) {
    List<String> found = new ArrayList<>();
    for (JavaClass type : classes) {
      for (JavaMethodCall call : type.getMethodCallsFromSelf()) {
        String target = call.getTargetOwner().getName() + "." + call.getName();
        if (OF_DAY.contains(target)) {
          found.add(type.getName() + " calls " + target);
        }
      }
    }
    return found;
  }

  /** The benches are programs, and stamp what they print. */
  @Test
  void libraries_doNotReadTheWallClock() {
    List<JavaClass> libraries =
        OwnClasses.all().stream()
            .filter(type -> !type.getPackageName().startsWith("io.jgloo.bench"))
            .filter(type -> !KNOWN.containsKey(type.getName()))
            .toList();
    assertTrue(libraries.size() > 500, "only " + libraries.size() + " classes");
    assertEquals(List.of(), readers(libraries));
  }

  @Test
  void plantedReader_isFound() {
    assertEquals(
        List.of(Reader.class.getName() + " calls java.time.Instant.now"),
        readers(new ClassFileImporter().importClasses(Reader.class)));
  }

  private static final class Reader {
    private final Instant read = Instant.now();

    @Override
    public String toString() {
      return "read at " + read;
    }
  }
}
