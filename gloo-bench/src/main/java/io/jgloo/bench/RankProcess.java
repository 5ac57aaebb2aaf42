package io.jgloo.bench;

import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.process.Child;
import io.jgloo.bench.report.Event;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.function.Consumer;

/** A process of one rank or several: what it reports, and why it ended. */
final class RankProcess {
  private final String prefix;
  private final Consumer<Event> report;
  private final Child child;
  private Event exit;
  private volatile String phase; // read while the rank runs
  private RuntimeException broken;

  /**
   * @param prefix what stands before the lines of its standard error
   */
  RankProcess(Child child, String prefix, Consumer<Event> report) {
    this.child = child;
    this.prefix = prefix;
    this.report = report;
  }

  /**
   * Reads what it reports until it ends.
   *
   * @param live where its standard error goes as it comes, or null to keep it
   * @param ended called when it has ended and all it reported has been read
   */
  void follow(PrintWriter live, Consumer<RankProcess> ended) {
    Consumer<String> err = live == null ? null : line -> live.println(prefix + line);
    child.follow(this::read, err, none -> ended.accept(this));
  }

  private void read(String line) {
    Event event;
    try {
      event = Event.decode(line);
    } catch (UncheckedIOException e) {
      child.keep(line); // printed by the virtual machine itself
      return;
    }
    if (event.exitCode() != null) {
      exit = event;
      return;
    }
    phase = event.phase() == null ? phase : event.phase();
    try {
      report.accept(event);
    } catch (RuntimeException e) {
      broken = e;
      child.stop();
    }
  }

  /** What it reported last about what it does; that of rank 0 only. */
  String phase() {
    return phase;
  }

  // What follows is known once it has ended.

  /** Its exit code, if it ended in an orderly way; else {@link ExitCode#FAILURE}. */
  int code() {
    return isOrderly() ? exit.exitCode() : ExitCode.FAILURE;
  }

  private boolean isOrderly() {
    return broken == null && exit != null && exit.exitCode() == child.status();
  }

  boolean failed() {
    return code() >= ExitCode.USAGE;
  }

  /** How likely it is the one that failed first; the likeliest first. */
  enum Suspicion {
    /** It was killed, or crashed. */
    VANISHED,
    /** It has a reason of its own. */
    FAILED,
    /** Another rank's failure was reported to it, or it noticed one. */
    BLAMES_ANOTHER
  }

  Suspicion suspicion() {
    if (!isOrderly()) {
      return Suspicion.VANISHED;
    }
    return Boolean.TRUE.equals(exit.consequence()) ? Suspicion.BLAMES_ANOTHER : Suspicion.FAILED;
  }

  /** How it ended, for people. */
  String end() {
    return broken == null
        ? child.end(exit != null)
        : child.name() + " reported what cannot be written: " + broken;
  }

  /** Its standard error, each line behind its own prefix. */
  void print(PrintWriter err) {
    print(err, prefix);
  }

  /** Its standard error, each line behind a prefix. */
  void print(PrintWriter err, String prefix) {
    child.errors().forEach(line -> err.println(prefix + line));
    err.flush();
  }
}
