package io.jgloo.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.process.Job;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The quick form on two small sizes, with whatever peers this machine has. */
@Timeout(300)
final class CompareSystemTest {

  private final CompareRun compare = new CompareRun();
  @TempDir private Path folder;

  @Tag("full")
  @Test
  void allPeersOfThisMachineAreMeasuredOrNamed() throws IOException {
    int code =
        compare.quick(
            "--operations allreduce,barrier --sizes 4K,64K --peers %s --output %s"
                .formatted(CompareRun.PEERS, folder));
    assertEquals(ExitCode.VERIFIED, code, compare::err);
    JsonNode report = compare.report(folder);
    Set<String> measured = new HashSet<>();
    for (JsonNode point : report.get("points")) {
      measured.add(point.get("series").asText());
      assertTrue(point.get("p50Us").get("median").asDouble() > 0, point::toString);
      assertEquals(1, point.get("rounds").asInt());
    }
    assertTrue(
        measured.containsAll(
            List.of(Peer.OURS, Peer.SHARED, Peer.ALLOCATED, Peer.HEAP, Peer.OURS_AS_GLOO)),
        "" + measured);
    assertNamedIfNotMeasured(report, measured, Peer.EXCHANGE, "gcc");
    assertNamedIfNotMeasured(report, measured, Peer.GLOO, "libgloo-dev");
    assertNamedIfNotMeasured(report, measured, Peer.MPI_TCP, "openmpi-bin");
    assertNamedIfNotMeasured(report, measured, Peer.MPICH_TCP, "libmpich-dev");
    assertNamedIfNotMeasured(report, measured, Peer.MPICH_SHM, "libmpich-dev");
    assertEqualConditions(report);
    String text = Files.readString(folder.resolve("report.txt"));
    assertTrue(text.contains("allreduce, 2 ranks") && text.contains("barrier, 2 ranks"), text);
    assertTrue(compare.out().contains(text));
  }

  /** The others' sockets have our congestion control, where this machine lets us see to it. */
  private void assertEqualConditions(JsonNode report) {
    JsonNode machine = report.get("machine");
    boolean equal = machine.get("congestion").equals(machine.get("ownCongestion"));
    assertTrue(equal != compare.err().contains("skipped: equal conditions"), machine::toString);
    JsonNode mode = report.get("modes").get(Peer.MPI_TCP);
    if (mode != null) {
      assertEquals(equal, mode.asText().endsWith("not bound to cores"), mode::toString);
    }
  }

  @Test
  void routesOfEqualConditionsHaveTheirCongestionControl() throws Exception {
    CompareCommand.EqualConditions reno = new CompareCommand.EqualConditions("reno");
    try {
      reno.check();
    } catch (IOException e) {
      abort("no network namespace here: " + e.getMessage());
    }
    List<String> show = List.of("ip", "-4", "route", "show", "table", "local", "type", "local");
    List<String> routes = Job.run(Duration.ofSeconds(20), reno.command(show));
    assertEquals(2, routes.size(), routes::toString);
    assertTrue(routes.stream().allMatch(route -> route.contains("congctl reno")), routes::toString);
    CompareCommand.EqualConditions none = new CompareCommand.EqualConditions("nothing-known");
    assertThrows(IOException.class, none::check);
  }

  private static void assertNamedIfNotMeasured(
      JsonNode report, Set<String> measured, String series, String apt) {
    String missing = report.get("missing").toString();
    assertTrue(measured.contains(series) != missing.contains(apt), series + ": " + missing);
  }

  @Test
  void meaninglessOptionsAreRefused() {
    for (String line : List.of("--ranks 1", "--rounds 0", "--operations juggle", "--sizes 5")) {
      assertEquals(ExitCode.USAGE, compare.run(line), line);
    }
    assertTrue(compare.err().contains("--operations is 'juggle', but must be one of allreduce, "));
  }

  @Test
  void peerThatCannotBeBuiltIsNamedWithItsPackages() throws Exception {
    Peers peers = Peers.find(new Peers.Own("system", true), folder, "system", false);
    assertEquals(4, peers.missing().size(), peers.missing()::toString);
    assertTrue(peers.missing().get(1).startsWith("C++ Gloo (apt-get install libgloo-dev"));
    assertEquals(5, peers.present().size());
  }

  @Test
  void failedPeerIsReportedAndTheOthersGoOn() throws Exception {
    Path failing = folder.resolve("failing");
    Files.writeString(failing, "#!/bin/sh\necho no luck >&2\nexit 7\n");
    assertTrue(failing.toFile().setExecutable(true));
    Peer.Task task = new Peer.Task("allreduce", 2, List.of(4L), 10);
    List<Peer> both =
        List.of(Peers.limit(failing, "system"), new Peers.Own("system", true).all().get(0));
    CompareCommand command = new CompareCommand();
    command.rounds = 2;
    command.measure(both, List.of(task), new PrintWriter(new StringWriter()));
    assertEquals(2, command.failures.size());
    assertTrue(command.failures.get(0).endsWith("ended with code 7: no luck"));
    assertEquals(2, command.comparison.points().get(0).rounds());
  }
}
