package io.jgloo.transport;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command of a JVM that lives for seconds: it costs most of its processor time to start. So C1
 * compiles, and one thread collects.
 *
 * <p>Its standard output is the program's alone. JVMs that start at the same time look at each
 * other's files of performance data in /tmp and warn when they meet there, so it has none, and what
 * a JVM warns of goes to standard error.
 */
public final class ShortJvm {

  private ShortJvm() {}

  /**
   * The program with its options, to be completed by class path and class.
   *
   * @param options further ones of the JVM
   */
  public static List<String> command(String... options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-ea", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-XX:-UsePerfData", "-Xlog:disable", "-Xlog:all=warning:stderr"));
    command.addAll(List.of(options));
    return command;
  }
}
