package io.jgloo;

import io.jgloo.collectives.execution.CallDump;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Writes the record of a group's calls into a directory: once when the group fails, and whenever
 * the process gets {@link #SIGNAL}.
 *
 * <p>The file is written by a thread of its own, because a failure is noticed under locks. The
 * thread keeps the process alive until the file is written, and closing the group waits for it.
 *
 * <p><em>Threads</em>: any.
 */
final class CallDumps implements AutoCloseable {

  /** Ends processes that do not handle it, so it is for processes with a dump directory only. */
  static final String SIGNAL = "USR1";

  private static final System.Logger LOG = System.getLogger(CallDumps.class.getName());
  private static final Duration LONGEST_WRITE = Duration.ofSeconds(5);

  /** Of all groups of the process that have a dump directory: a signal is for a process. */
  private static final Set<CallDumps> OPEN = ConcurrentHashMap.newKeySet();

  private static final AtomicBoolean HANDLED = new AtomicBoolean();

  private final CallDump calls;
  private final Path directory;
  private final String name;
  private volatile @Nullable Thread writer;

  CallDumps(CallDump calls, Path directory, String name) {
    this.calls = calls;
    this.directory = directory;
    this.name = name;
    OPEN.add(this);
    if (!HANDLED.getAndSet(true)) {
      handleSignal();
    }
  }

  /** Starts to write, because the group has failed. */
  void failed() {
    Thread thread = new Thread(() -> write("failure"), "gloo-dump-" + name);
    writer = thread;
    thread.start();
  }

  private void write(String reason) {
    try {
      Path file = calls.write(directory, reason);
      LOG.log(Level.INFO, "the last calls of group {0} are in {1}", name, file);
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.WARNING, "cannot write the last calls of group " + name, e);
    }
  }

  /** Has the signal handled, by name: the classes are not part of the API of the JDK. */
  private static void handleSignal() {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object proxy =
          Proxy.newProxyInstance(
              CallDumps.class.getClassLoader(),
              new Class<?>[] {handler},
              (self, method, arguments) -> {
                if (method.getName().equals("handle")) {
                  OPEN.forEach(each -> each.write("signal"));
                }
                return null;
              });
      Object number = signal.getConstructor(String.class).newInstance(SIGNAL);
      signal.getMethod("handle", signal, handler).invoke(null, number, proxy);
    } catch (ReflectiveOperationException e) {
      LOG.log(Level.INFO, "signal " + SIGNAL + " writes no calls: " + e);
    }
  }

  /** Waits for a file that is being written. */
  @Override
  public void close() {
    OPEN.remove(this);
    Thread writing = writer;
    if (writing == null || writing == Thread.currentThread()) {
      return;
    }
    try {
      writing.join(LONGEST_WRITE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
