package io.jgloo;

import io.jgloo.collectives.CostModel;
import io.jgloo.collectives.execution.Dialect;
import io.jgloo.collectives.execution.Meshes;
import io.jgloo.transport.Device;
import io.jgloo.transport.Devices;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.ibverbs.SoftRanks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A group whose ranks are threads of the test, over real sockets.
 *
 * <p>Or over another kind of device: {@code -Dio.jgloo.test.device=ibverbs} runs the same tests on
 * a machine that has one, {@code ibverbs-soft} on its software double.
 */
public final class Ranks implements AutoCloseable {

  private static final String DEVICE = System.getProperty("io.jgloo.test.device", "tcp");

  /** What one rank does. */
  @FunctionalInterface
  public interface Body {
    void run(ProcessGroup group, int rank) throws Exception;
  }

  /** How many times slower than others this machine is, if it is emulated. */
  private static final int SLOWDOWN = Integer.getInteger("io.jgloo.test.slowdown", 1);

  private static final Duration PATIENCE = Duration.ofSeconds(60L * SLOWDOWN);

  private final Device device;
  private final List<Mesh> meshes;
  private final List<ProcessGroup> groups = new ArrayList<>();

  private Ranks(Device device, List<Mesh> meshes, Duration timeout) {
    this.device = device;
    this.meshes = meshes;
    for (Mesh mesh : meshes) {
      Dialect dialect = Connection.dialect(mesh.wire());
      Connection connection =
          new Connection(mesh, device, timeout, List.of(), CostModel.DEFAULT, dialect);
      groups.add(new ProcessGroup(connection, CallOptions.DEFAULTS));
    }
  }

  public static Ranks of(int size) {
    return of(size, Duration.ofSeconds(30L * SLOWDOWN));
  }

  public static Ranks of(int size, Duration timeout) {
    boolean soft = DEVICE.equals("ibverbs-soft");
    return on(soft ? SoftRanks.prompt().open() : Devices.open(DEVICE), size, timeout);
  }

  /** On this device, which is closed with the ranks. */
  public static Ranks on(Device device, int size, Duration timeout) {
    return new Ranks(device, Meshes.connect(device, "test", size), timeout);
  }

  /** Does something in a thread of its own. */
  static <T> CompletableFuture<T> inThread(java.util.concurrent.Callable<T> body) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                result.complete(body.call());
              } catch (Throwable e) {
                result.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return result;
  }

  static <T> T patiently(CompletableFuture<T> result) {
    return patiently(PATIENCE, result);
  }

  private static <T> T patiently(Duration patience, CompletableFuture<T> result) {
    try {
      return result.get(patience.toSeconds(), TimeUnit.SECONDS);
    } catch (java.util.concurrent.ExecutionException e) {
      throw new AssertionError(e.getCause());
    } catch (InterruptedException | java.util.concurrent.TimeoutException e) {
      throw new AssertionError("hangs", e);
    }
  }

  public ProcessGroup group(int rank) {
    return groups.get(rank);
  }

  Mesh mesh(int rank) {
    return meshes.get(rank);
  }

  /** Every rank does this; none may fail. */
  public void each(Body body) {
    each(PATIENCE, body);
  }

  /** Every rank does this within such a time; none may fail. */
  void each(Duration patience, Body body) {
    int rank = 0;
    for (Throwable failure : outcomes(patience, body)) {
      if (failure != null) {
        throw new AssertionError("rank " + rank + ": " + failure, failure);
      }
      rank++;
    }
  }

  /** Every rank does this; what each failed with, or null. */
  public List<Throwable> outcomes(Body body) {
    return outcomes(PATIENCE, body);
  }

  private List<Throwable> outcomes(Duration patience, Body body) {
    List<CompletableFuture<Throwable>> running = new ArrayList<>();
    for (int rank = 0; rank < groups.size(); rank++) {
      int own = rank;
      running.add(
          inThread(
              () -> {
                try {
                  body.run(groups.get(own), own);
                  return null;
                } catch (Throwable e) {
                  return e;
                }
              }));
    }
    List<Throwable> failures = new ArrayList<>();
    for (CompletableFuture<Throwable> each : running) {
      failures.add(patiently(patience, each));
    }
    return failures;
  }

  @Override
  public void close() {
    groups.forEach(ProcessGroup::close);
    device.close();
  }
}
