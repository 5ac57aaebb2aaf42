package io.jgloo.collectives.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Layout;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.Shapes;
import io.jgloo.collectives.algorithm.Algorithms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pictures of schedules; those in the Javadoc of algorithms are what the schedules draw today. */
@Timeout(30)
class ScheduleDrawingTest {
  /**
   * For example {@code <p>Drawn: allreduce ring, 4 ranks, 4 elements.}; with {@code one by one}
   * every element is a segment, and a rank sends one in each round; {@code 4 ranks on 2 hosts} are
   * ranks 0 and 1 on one and 2 and 3 on the other.
   */
  private static final Pattern PICTURE =
      Pattern.compile(
          " \\* <p>Drawn: (\\w+) (\\w+), (\\d+) ranks(?: on (\\d+) hosts)?, (\\d+)"
              + " elements(, one by one)?\\.\\n \\*\\n"
              + " \\* <pre>\\{@code\\n(.*?) \\* }</pre>\\n",
          Pattern.DOTALL);

  private static final Path SOURCES = Path.of("src/main/java/io/jgloo/collectives/algorithm");

  @Test
  void exchangeOfTwoRanks() {
    Algorithm algorithm = Algorithms.named(Collective.ALLREDUCE, "halvingDoubling");
    Shape shape = Shape.allreduce(2, 2, 4);
    assertEquals(
        """
                  rank 0     rank 1
        round 1   b>1 +a<1   a>0 +b<0
        round 2   a>1 b<1    b>0 a<0
        """,
        ScheduleDrawing.draw(algorithm, shape, Integer.MAX_VALUE));
  }

  @Test
  void javadocShowsWhatSchedulesDraw() throws IOException {
    String page = sources();
    Set<String> shown = new TreeSet<>();
    Matcher picture = PICTURE.matcher(page);
    while (picture.find()) {
      Collective collective = collective(picture.group(1));
      Algorithm algorithm = Algorithms.named(collective, picture.group(2));
      int ranks = Integer.parseInt(picture.group(3));
      int hosts = picture.group(4) == null ? 1 : Integer.parseInt(picture.group(4));
      long elements = Long.parseLong(picture.group(5));
      boolean oneByOne = picture.group(6) != null;
      shown.add(collective.label() + " " + algorithm.name());
      assertEquals(
          draw(algorithm, layout(ranks, hosts), elements, oneByOne),
          picture.group(7).replaceAll("(?m)^ \\* ", ""),
          picture.group());
    }
    Set<String> all = new TreeSet<>();
    for (Algorithm algorithm : Algorithms.all()) {
      if (algorithm.collective().uneven()) {
        continue; // draws as that of even blocks does
      }
      all.add(algorithm.collective().label() + " " + algorithm.name());
    }
    assertEquals(all, shown, "algorithms with a picture");
  }

  /** The sources of all algorithms. */
  private static String sources() throws IOException {
    StringBuilder text = new StringBuilder();
    try (Stream<Path> files = Files.walk(SOURCES)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        text.append(Files.readString(file));
      }
    }
    return text.toString();
  }

  private static Collective collective(String label) {
    return Arrays.stream(Collective.values())
        .filter(collective -> collective.label().equals(label))
        .findFirst()
        .orElseThrow();
  }

  private static Layout layout(int ranks, int hosts) {
    return Layout.of(
        IntStream.range(0, ranks).mapToObj(rank -> "host-" + rank * hosts / ranks).toList());
  }

  private static String draw(Algorithm algorithm, Layout layout, long elements, boolean oneByOne) {
    Shape shape =
        Shapes.of(algorithm.collective(), layout.size(), 0, elements, 1)
            .withLayout(layout)
            .withInPlace(true);
    return oneByOne
        ? ScheduleDrawing.draw(algorithm, shape.withSegmentBytes(1), 1)
        : ScheduleDrawing.draw(algorithm, shape, Integer.MAX_VALUE);
  }
}
