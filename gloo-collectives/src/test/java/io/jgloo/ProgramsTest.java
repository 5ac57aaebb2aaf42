package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.transport.DeviceOptions;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The programs of docs/programs.md compile, and their methods {@code run} end well at 3 ranks. */
@Timeout(120)
class ProgramsTest {

  private static final Path PAGE = Path.of("../docs/programs.md");
  private static final int AT_LEAST = 10;
  private static final int RANKS = 3;
  private static final Pattern BLOCK =
      Pattern.compile("```java\n(.*?public class (\\w+) .*?)```", Pattern.DOTALL);

  @TempDir private Path folder;

  @Test
  void programsOfThePageCompileAndRun() throws Exception {
    List<String> names = compile();
    assertTrue(names.size() >= AT_LEAST, () -> "only " + names);
    try (HashStore store = new HashStore();
        URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      List<Method> runs = new ArrayList<>();
      for (String name : names) {
        Method run = Class.forName(name, true, loader).getDeclaredMethod("run", ProcessGroup.class);
        run.setAccessible(true);
        runs.add(run);
      }
      List<CompletableFuture<Void>> ranks = new ArrayList<>();
      for (int rank = 0; rank < RANKS; rank++) {
        int own = rank;
        ranks.add(Ranks.inThread(() -> runAll(own, store, runs)));
      }
      ranks.forEach(Ranks::patiently);
    }
  }

  private static Void runAll(int rank, HashStore store, List<Method> runs) throws Exception {
    DeviceOptions options = DeviceOptions.DEFAULTS.with("bind", "127.0.0.1");
    GroupBuilder builder = ProcessGroup.builder().rank(rank).size(RANKS).store(store);
    try (ProcessGroup group = builder.device("tcp", options).connect()) {
      for (Method run : runs) {
        run(run, group);
      }
      group.barrier();
    }
    return null;
  }

  private static void run(Method run, ProcessGroup group) throws Exception {
    try {
      run.invoke(null, group);
    } catch (InvocationTargetException e) {
      throw new AssertionError(run + " fails", e.getCause());
    }
  }

  /** Compiles all programs of the page; their names. */
  private List<String> compile() throws IOException {
    List<String> names = new ArrayList<>();
    String page = Files.readString(PAGE);
    Matcher block = BLOCK.matcher(page);
    while (block.find()) {
      names.add(block.group(2));
      Files.writeString(folder.resolve(block.group(2) + ".java"), block.group(1));
    }
    assertEquals(page.split("```java", -1).length - 1, names.size(), "a block is no program");
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
}
