package io.jgloo.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rpc.codec.Codecs;
import io.jgloo.rpc.rref.protocol.Diagram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RR01: the protocol's Javadoc shows the messages that agents send in the four scenarios. */
@Timeout(60)
final class RRefTraceTest {

  private static final Path DRAWINGS =
      Path.of("src/main/java/io/jgloo/rpc/rref/protocol/package-info.java");
  private static final RpcFunction<Long, Long> TWICE =
      new RpcFunction<>("twice", Codecs.LONG, Codecs.LONG);
  private static final RpcFunction<RRef<Long>, Long> READ =
      new RpcFunction<>("read", RRefs.codec(Codecs.LONG), Codecs.LONG);

  private static RpcRegistry functions() {
    return new RpcRegistry()
        .register(TWICE, (context, value) -> 2 * value)
        .register(
            READ,
            (context, ref) -> {
              try (ref) {
                return ref.toHere();
              }
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"S1", "S2", "S3", "S4"})
  void rr01_javadocShowsTheMessagesOfTheScenario(String scenario, @TempDir Path folder)
      throws Exception {
    Path file = folder.resolve("messages.jfr");
    try (Agents three = new Agents(3, rank -> functions());
        Recording recording = new Recording()) {
      recording.enable("io.jgloo.rpc.RRefMessage");
      recording.start();
      run(three, scenario);
      three.awaitQuiet();
      recording.stop();
      recording.dump(file);
    }
    List<String> drawn = draw(file, scenario.matches("S1|S2") ? 2 : 3);
    System.out.println(scenario + "\n" + String.join("\n", drawn));
    assertEquals(sorted(drawn), sorted(drawing(scenario)), String.join("\n", drawn));
  }

  private static void run(Agents three, String scenario) throws Exception {
    if (scenario.equals("S3")) {
      try (RRef<Long> own = three.refs(1).of(5L, Codecs.LONG)) {
        assertEquals(5, three.agent(1).rpcSync(three.id(2), READ, own));
      }
      return;
    }
    try (RRef<Long> ref = three.refs(0).remote(three.id(1), TWICE, 21L)) {
      ref.confirmed().get(30, TimeUnit.SECONDS);
      switch (scenario) {
        case "S1" -> assertEquals(42, ref.toHere());
        case "S2" -> assertEquals(42, three.agent(0).rpcSync(three.id(1), READ, ref));
        default -> assertEquals(42, three.agent(0).rpcSync(three.id(2), READ, ref));
      }
    }
  }

  private static List<String> draw(Path file, int agents) throws Exception {
    List<RecordedEvent> events = new ArrayList<>(RecordingFile.readAllEvents(file));
    events.removeIf(event -> !event.getEventType().getName().equals("io.jgloo.rpc.RRefMessage"));
    events.sort(Comparator.comparing(RecordedEvent::getStartTime));
    assertTrue(events.size() > 2, "few events");
    Diagram diagram = new Diagram(agents);
    Map<String, Integer> numbers = new HashMap<>();
    for (RecordedEvent event : events) {
      String fork = event.getString("fork");
      numbers.putIfAbsent(fork, numbers.size() + 1);
      String message = event.getString("message");
      diagram.message(
          rank(event.getString("from")),
          rank(event.getString("to")),
          message + " " + numbers.get(fork),
          message.equals("CALL"));
    }
    return diagram.lines();
  }

  private static int rank(String agent) {
    return Integer.parseInt(agent.substring(0, agent.indexOf('#')));
  }

  /** The drawing of a scenario in the Javadoc of the protocol. */
  private static List<String> drawing(String scenario) throws Exception {
    String javadoc = Files.readString(DRAWINGS);
    int start = javadoc.indexOf("{@code\n", javadoc.indexOf("<p>" + scenario + ": "));
    return javadoc
        .substring(start, javadoc.indexOf("}</pre>", start))
        .lines()
        .skip(1)
        .map(line -> line.replaceFirst("^ \\* ", ""))
        .filter(line -> !line.isBlank())
        .toList();
  }

  private static List<String> sorted(List<String> lines) {
    return lines.stream().sorted().toList();
  }
}
