package io.jgloo.build;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.GroupBuilder;
import io.jgloo.ProcessGroup;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The classes in the Java blocks of a page: compiles and runs them. */
final class PageCode {

  private static final int RANKS = 3;

  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final Pattern NAME =
      Pattern.compile("^public (?:final )?class (\\w+)", Pattern.MULTILINE);
  private static final int PATIENCE_SECONDS = 60;

  /** What each rank does. */
  @FunctionalInterface
  interface Body {
    void run(ProcessGroup group) throws Exception;
  }

  private PageCode() {}

  /** A page by its path in the repository; Maven runs the tests of a module in its folder. */
  static Path page(String path) {
    return Path.of("..").resolve(path);
  }

  /** Compiles all Java blocks of a page into a folder; the names of their public classes. */
  static List<String> compile(Path page, Path folder) throws IOException {
    List<String> names = new ArrayList<>();
    Matcher block = BLOCK.matcher(Files.readString(page));
    while (block.find()) {
      Matcher name = NAME.matcher(block.group(1));
      assertTrue(name.find(), () -> "a Java block has no public class: " + block.group(1));
      names.add(name.group(1));
      Files.writeString(folder.resolve(name.group(1) + ".java"), block.group(1));
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter errors = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      Stream<Path> sources = names.stream().map(name -> folder.resolve(name + ".java"));
      List<String> options =
          List.of("-d", folder.toString(), "-cp", System.getProperty("java.class.path"));
      boolean compiled =
          compiler
              .getTask(
                  errors,
                  files,
                  null,
                  options,
                  null,
                  files.getJavaFileObjectsFromPaths(sources.toList()))
              .call();
      assertTrue(compiled, errors::toString);
    }
    return names;
  }

  /** Starts a class of the folder, or of the tests, in a process of its own. */
  static Process start(Path folder, String main, String... arguments) throws IOException {
    return start(Map.of(), folder, main, arguments);
  }

  /** As above, with variables of the environment. */
  static Process start(Map<String, String> variables, Path folder, String main, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-ea", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", folder + ":" + System.getProperty("java.class.path")));
    command.add(main);
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(variables);
    return builder.start();
  }

  /** Connects three ranks, each in a thread, and does the same at each of them. */
  static void atRanks(IntFunction<GroupBuilder> builders, Body body) throws Exception {
    ExecutorService threads =
        Executors.newFixedThreadPool(
            RANKS,
            task -> {
              Thread thread = new Thread(task);
              thread.setDaemon(true);
              return thread;
            });
    List<Future<?>> ranks = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      GroupBuilder builder = builders.apply(rank).rank(rank).size(RANKS);
      ranks.add(
          threads.submit(
              () -> {
                try (ProcessGroup group = builder.connect()) {
                  body.run(group);
                  group.barrier();
                  return null;
                }
              }));
    }
    for (Future<?> rank : ranks) {
      rank.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
  }
}
