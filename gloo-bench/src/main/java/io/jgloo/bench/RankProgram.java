package io.jgloo.bench;

import io.jgloo.GroupBuilder;
import io.jgloo.ProcessGroup;
import io.jgloo.bench.operation.Seat;
import io.jgloo.bench.report.Report;
import io.jgloo.transport.DeviceOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * One rank from meeting the others to its exit code.
 *
 * @param meeting says where the ranks meet
 * @param report of rank 0; the others do not speak
 * @param err for what goes wrong
 * @param failed hears of a failure before the other ranks can
 */
record RankProgram(
    Settings settings,
    int rank,
    UnaryOperator<GroupBuilder> meeting,
    Report report,
    PrintWriter err,
    Consumer<Failure> failed) {

  /** Runs it; whatever happens ends in an exit code. */
  int run() {
    ProcessGroup group;
    try {
      group = connect();
    } catch (IllegalArgumentException e) {
      failed.accept(new Failure(ExitCode.USAGE, e));
      return ExitCode.USAGE;
    } catch (RuntimeException | Error e) {
      failed.accept(new Failure(ExitCode.FAILURE, e));
      return ExitCode.FAILURE;
    }
    try (group) {
      return measure(group);
    }
  }

  private ProcessGroup connect() {
    GroupBuilder builder =
        ProcessGroup.builder()
            .rank(rank)
            .size(settings.ranks())
            .name("bench")
            .device(settings.device(), DeviceOptions.of(settings.deviceOptions()))
            .timeout(settings.timeout())
            .connectTimeout(settings.timeout());
    return meeting.apply(builder).connect();
  }

  private int measure(ProcessGroup group) {
    try {
      Report spoken = rank == 0 ? report : Report.none();
      if (rank == 0) {
        report.begin(Surroundings.header(settings, group));
      }
      long errors = new Session(settings, new Seat(group, settings.work()), spoken, err).run();
      return errors == 0 ? ExitCode.VERIFIED : ExitCode.WRONG;
    } catch (IOException | RuntimeException | Error e) {
      failed.accept(new Failure(ExitCode.FAILURE, e));
      return ExitCode.FAILURE;
    }
  }
}
