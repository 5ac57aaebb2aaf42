package io.jgloo.bench.soak;

import io.jgloo.bench.process.Child;
import io.jgloo.bench.process.Job;
import io.jgloo.bench.process.ProcessFigures;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A {@link SoakRank} as its parent sees it: what it has written, and its signals.
 *
 * <p><em>Threads</em>: one calls.
 */
final class SoakProcess {
  final Child child;
  private final int number;
  private final long start = System.nanoTime();
  private final BlockingQueue<List<String>> answers = new LinkedBlockingQueue<>();
  private ProcessFigures first = ProcessFigures.NONE;
  private volatile boolean ended;
  private volatile long calls;

  /**
   * @param number of the process, from 0; a process that is started anew has that of the old one
   */
  SoakProcess(Job job, int number, List<String> command) throws IOException {
    this.number = number;
    child = job.start("process " + number, new ProcessBuilder(command));
    child.follow(this::hear, null, unused -> ended = true);
  }

  /** Lines are words and, at the end of some, a text. */
  private void hear(String line) {
    List<String> words = List.of(line.split(" ", 7));
    if (words.get(0).equals(SoakRank.AT)) {
      calls = Long.parseLong(words.get(2));
    } else if (SoakRank.ANSWERS.contains(words.get(0))) {
      answers.add(words);
    } else {
      child.keep(line); // a thread dump
    }
  }

  /** The next answer, as words; null if there is none until then. */
  List<String> answer(long deadlineNanos) throws InterruptedException {
    return answers.poll(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
  }

  /** Calls of the epoch that it last reported. */
  long calls() {
    return calls;
  }

  void order(String line) throws IOException {
    calls = 0;
    child.write(line);
  }

  boolean hasEnded() {
    return ended;
  }

  /** SIGKILL; returns the instant before. */
  long kill() {
    long instant = System.nanoTime();
    child.kill();
    return instant;
  }

  /** Sends a signal by its short name. */
  void signal(String name) throws IOException, InterruptedException {
    Programs.run(List.of("kill", "-" + name, "" + child.pid()));
  }

  /** Takes what it holds once it has worked, to be compared with what it holds at its end. */
  void hasWorked() {
    if (first.equals(ProcessFigures.NONE)) {
      first = ProcessFigures.of(child.pid());
    }
  }

  /** What a process held at the end of its first group, and at its own end. */
  record Use(
      int process,
      long seconds,
      long firstResidentKib,
      long residentKib,
      long firstDescriptors,
      long descriptors,
      long firstThreads,
      long threads) {}

  Use use() {
    ProcessFigures now = ProcessFigures.of(child.pid());
    return new Use(
        number,
        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start),
        first.residentKib(),
        now.residentKib(),
        first.descriptors(),
        now.descriptors(),
        first.threads(),
        now.threads());
  }
}
