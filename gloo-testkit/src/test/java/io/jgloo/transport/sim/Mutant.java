package io.jgloo.transport.sim;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * A copy of all classes of ours with one mistake in one of them, made by compiling its source with
 * one line changed.
 *
 * <p>Rejected alternatives: hooks in production code, which would be on its hot path; edits of
 * class files, which say less than a line of source.
 */
final class Mutant extends ClassLoader {

  private static final String OURS = "io.jgloo.";
  private static final List<Path> SOURCES =
      List.of(Path.of("../gloo-transport/src/main/java"), Path.of("src/main/java"));

  private final Map<String, byte[]> changed;

  private Mutant(Map<String, byte[]> changed) {
    super(Mutant.class.getClassLoader());
    this.changed = changed;
  }

  /**
   * @param className whose source is changed
   * @param line a part of the source that occurs once
   * @param mistake what stands there instead
   */
  static Mutant of(String className, String line, String mistake) throws IOException {
    String name = className.replace('.', '/') + ".java";
    Path file =
        SOURCES.stream()
            .map(folder -> folder.resolve(name))
            .filter(Files::exists)
            .findFirst()
            .orElseThrow();
    String source = Files.readString(file);
    int at = source.indexOf(line);
    if (at < 0 || source.indexOf(line, at + 1) >= 0) {
      throw new AssertionError(file + " must contain once: " + line);
    }
    return new Mutant(compile(className, source.replace(line, mistake)));
  }

  private static Map<String, byte[]> compile(String className, String source) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    Map<String, ByteArrayOutputStream> written = new HashMap<>();
    JavaFileManager files =
        new ForwardingJavaFileManager<>(compiler.getStandardFileManager(null, null, null)) {
          @Override
          public JavaFileObject getJavaFileForOutput(
              Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///" + name), kind) {
              @Override
              public OutputStream openOutputStream() {
                return written.computeIfAbsent(name, key -> new ByteArrayOutputStream());
              }
            };
          }
        };
    JavaFileObject unit =
        new SimpleJavaFileObject(
            URI.create("memory:///" + className.replace('.', '/') + ".java"),
            JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    StringWriter messages = new StringWriter();
    List<String> options = List.of("-proc:none", "-nowarn", "-classpath", classPath());
    if (!compiler.getTask(messages, files, null, options, null, List.of(unit)).call()) {
      throw new AssertionError(messages.toString());
    }
    Map<String, byte[]> classes = new HashMap<>();
    written.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
    return classes;
  }

  private static String classPath() {
    return String.join(
        java.io.File.pathSeparator,
        System.getProperty("java.class.path"),
        System.getProperty("jdk.module.path", ""),
        where(io.jgloo.transport.memory.Memory.class));
  }

  private static String where(Class<?> type) {
    return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()))
        .toString();
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null && name.startsWith(OURS)) {
        byte[] bytes = changed.containsKey(name) ? changed.get(name) : read(name);
        loaded = defineClass(name, bytes, 0, bytes.length);
      }
      return loaded == null ? super.loadClass(name, resolve) : loaded;
    }
  }

  private static byte[] read(String name) throws ClassNotFoundException {
    try (InputStream in =
        Mutant.class.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  /**
   * The first seed, from this one on, that finds the mistake, and how; null if none of so many does
   * in this time.
   */
  String firstFailure(long from, long seeds, Duration most) throws ReflectiveOperationException {
    Method run =
        loadClass(SimSoak.class.getName(), true)
            .getDeclaredMethod("firstFailure", long.class, long.class, Duration.class);
    run.setAccessible(true);
    return (String) run.invoke(null, from, seeds, most);
  }
}
