package io.jgloo.bench;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another JVM like this one: same java, same flags, same classes. */
public final class Jvm {

  private Jvm() {}

  /** The command that runs a main method there; arguments may be added. */
  public static List<String> command(Class<?> main) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (!flag.startsWith("-agentlib:jdwp") && !flag.startsWith("-javaagent")) {
        command.add(flag);
      }
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    return command;
  }
}
