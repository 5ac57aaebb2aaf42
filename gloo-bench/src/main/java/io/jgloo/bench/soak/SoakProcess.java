package io.jgloo.bench.soak;

import io.jgloo.bench.process.Child;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A {@link SoakRank} as its parent sees it: what it has written, and its signals.
 *
 * <p><em>Threads</em>: one calls; another takes samples of its use. <em>Owns</em>: the process.
 */
final class SoakProcess {
  private final Child child;
  private final ProcessUse use;
  private final BlockingQueue<List<String>> answers = new LinkedBlockingQueue<>();
  private volatile boolean ended;
  private volatile long calls;

  /**
   * @param number of the process, from 0; a process that is started anew has that of the old one
   */
  SoakProcess(int number, List<String> command) throws IOException {
    child = new Child("process " + number, new ProcessBuilder(command));
    use = new ProcessUse(number, child.pid());
    child.follow(this::hear, child::keep, unused -> ended = true);
  }

  /** Lines are words and, at the end of some, a text. */
  private void hear(String line) {
    List<String> words = List.of(line.split(" ", 7));
    switch (words.get(0)) {
      case SoakRank.AT -> calls = Long.parseLong(words.get(2));
      case SoakRank.HELD -> use.held(Long.parseLong(words.get(1)), Long.parseLong(words.get(2)));
      case SoakRank.READY,
          SoakRank.FORMED,
          SoakRank.WRONG,
          SoakRank.FAILED,
          SoakRank.STOPPED,
          SoakRank.BROKEN ->
          answers.add(words);
      default -> child.keep(line); // a thread dump
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

  ProcessUse use() {
    return use;
  }

  void order(String line) throws IOException {
    calls = 0;
    child.write(line);
  }

  void stopCalls() throws IOException {
    child.write("stop");
  }

  boolean hasEnded() {
    return ended;
  }

  long pid() {
    return child.pid();
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

  /** Its last error output, for people. */
  List<String> errors() {
    return child.errors();
  }
}
