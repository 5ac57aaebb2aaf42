package io.jgloo.bench;

import io.jgloo.bench.report.Event;
import io.jgloo.bench.report.Relay;
import io.jgloo.bench.report.Report;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The process that started this one, as a rank sees it: told everything on standard output, and
 * alive as long as standard input is open.
 */
record Parent(PrintStream told) {

  /**
   * Takes standard output for itself, what others print there goes to standard error; and ends this
   * JVM at once when the parent is gone, however it ended.
   */
  static Parent take(InputStream in, PrintStream out) {
    System.setOut(System.err);
    Thread watch = new Thread(() -> watch(in), "bench-parent-watch");
    watch.setDaemon(true);
    watch.start();
    return new Parent(new PrintStream((OutputStream) out, false, StandardCharsets.UTF_8));
  }

  private static void watch(InputStream in) {
    try {
      while (in.read() >= 0) {
        // The parent says nothing.
      }
    } catch (IOException e) {
      // As good as the end.
    }
    Runtime.getRuntime().halt(ExitCode.FAILURE);
  }

  Report report() {
    return new Relay(told);
  }

  void exit(int code, boolean consequence) {
    told.println(Event.exit(code, consequence).encode());
    told.flush();
  }
}
