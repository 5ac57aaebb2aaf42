package io.jgloo.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jgloo.ProcessGroup;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.JGlooException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * One rank of a test, as a process. What it has to say is in files of the test's folder, which is
 * also the store: {@code pid-RANK}, {@code dead-RANK} if a fault ended it, {@code failure-RANK}.
 */
final class RankProcess implements Faults.Target {

  /** First line of a failure that another rank may have caused. */
  static final String SECONDARY = "secondary";

  /** File that says that a fault of the run occurs at a random instant. */
  static final String RANDOM = "random";

  private final Path folder;
  private final int rank;
  private final SplittableRandom random;

  private RankProcess(Path folder, int rank, long seed) {
    this.folder = folder;
    this.rank = rank;
    random = new SplittableRandom(seed);
  }

  /**
   * @param arguments folder, rank, size, deadline in seconds, class and method of the test, seed
   */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    int rank = Integer.parseInt(arguments[1]);
    Files.writeString(folder.resolve("pid-" + rank), "" + ProcessHandle.current().pid());
    try {
      Class<?> type = Class.forName(arguments[4]);
      Method test =
          ReflectionSupport.findMethods(
                  type,
                  method ->
                      method.getName().equals(arguments[5])
                          && method.isAnnotationPresent(Ranks.class),
                  HierarchyTraversalMode.TOP_DOWN)
              .get(0);
      Duration deadline = Duration.ofSeconds(Long.parseLong(arguments[3]));
      new RankProcess(folder, rank, Long.parseLong(arguments[6]))
          .run(type, test, Integer.parseInt(arguments[2]), deadline);
    } catch (Exception | Error e) {
      StringWriter text = new StringWriter();
      text.write((e instanceof JGlooException ? SECONDARY : "") + "\n");
      e.printStackTrace(new PrintWriter(text, true));
      Path draft = Files.writeString(folder.resolve("failing-" + rank), text.toString(), UTF_8);
      Files.move(draft, folder.resolve("failure-" + rank));
    }
  }

  private void run(Class<?> type, Method test, int size, Duration deadline) throws Exception {
    Constructor<?> constructor = type.getDeclaredConstructor();
    constructor.setAccessible(true);
    Object instance = constructor.newInstance();
    Faults faults = new Faults(size);
    try (ProcessGroup group =
        ProcessGroup.builder()
            .rank(rank)
            .size(size)
            .store(folder.resolve("store").toUri().toString())
            .device("tcp", DeviceOptions.DEFAULTS.with("bind", "127.0.0.1"))
            .timeout(deadline.multipliedBy(2))
            .connectTimeout(deadline)
            .dumpDirectory(folder.resolve("calls-" + rank))
            .connect()) {
      for (Method each :
          AnnotationSupport.findAnnotatedMethods(
              type, BeforeEach.class, HierarchyTraversalMode.TOP_DOWN)) {
        callIfOfRank(each, instance, group, faults);
      }
      faults.begin(this);
      try {
        call(test, instance, group, faults);
      } finally {
        for (Method each :
            AnnotationSupport.findAnnotatedMethods(
                type, AfterEach.class, HierarchyTraversalMode.BOTTOM_UP)) {
          callIfOfRank(each, instance, group, faults);
        }
      }
    }
  }

  /** The other methods run once, in the process that started this one. */
  private static void callIfOfRank(
      Method method, Object instance, ProcessGroup group, Faults faults) {
    List<Class<?>> types = List.of(method.getParameterTypes());
    if (types.contains(ProcessGroup.class) || types.contains(Faults.class)) {
      call(method, instance, group, faults);
    }
  }

  private static void call(Method method, Object instance, ProcessGroup group, Faults faults) {
    List<@Nullable Object> arguments = new ArrayList<>();
    for (Class<?> type : method.getParameterTypes()) {
      if (type != ProcessGroup.class && type != Faults.class) {
        throw new IllegalArgumentException(
            "parameters of "
                + method
                + " must be ProcessGroup or Faults where ranks are processes");
      }
      arguments.add(type == Faults.class ? faults : group);
    }
    ReflectionSupport.invokeMethod(method, instance, arguments.toArray());
  }

  // Faults.

  @Override
  public void kill(int victim) {
    signal(victim, "KILL");
  }

  @Override
  public void stop(int victim) {
    signal(victim, "STOP");
  }

  private void signal(int victim, String name) {
    try {
      Files.writeString(folder.resolve("dead-" + victim), name);
      RankProcesses.signal(Long.parseLong(Files.readString(folder.resolve("pid-" + victim))), name);
    } catch (IOException e) {
      throw new UncheckedIOException("rank " + victim + " cannot be sent " + name, e);
    }
  }

  @Override
  public void plan(Faults.When when, Runnable fault) {
    if (when.rank() >= 0) {
      throw unsupported("faults at the number of a call");
    }
    try {
      Files.writeString(folder.resolve(RANDOM), "");
    } catch (IOException e) {
      throw new UncheckedIOException("the fault cannot be noted", e);
    }
    long nanos;
    synchronized (random) {
      nanos = random.nextLong(when.within().toNanos());
    }
    Thread thread =
        new Thread(
            () -> {
              try {
                Thread.sleep(nanos / 1_000_000, (int) (nanos % 1_000_000));
                fault.run();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "testkit-fault");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void delay(int from, int to, Duration time) {
    throw unsupported("delays");
  }

  @Override
  public void cut(int first, int second) {
    throw unsupported("cuts");
  }

  @Override
  public void corrupt(int from, int to) {
    throw unsupported("corrupted bytes");
  }

  @Override
  public void loseStore() {
    throw unsupported("lost store");
  }

  private static UnsupportedOperationException unsupported(String what) {
    return new UnsupportedOperationException(
        "ranks that are processes have no " + what + ": they can be killed and stopped");
  }
}
