package io.jgloo.fault;

import io.jgloo.ProcessGroup;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * The program of one rank that splits its group. The last rank gives the others its address in the
 * new group, and does not connect. Arguments: rank, size, store, what the last rank does then.
 */
final class SplitRank {

  static final String HALTS = "halts";
  static final String ABORTS = "aborts";
  static final String CLOSES = "closes";
  static final String ENDED = "ended";

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private static ProcessGroup group;

  private SplitRank() {}

  public static void main(String[] arguments) throws InterruptedException {
    int rank = Integer.parseInt(arguments[0]);
    int size = Integer.parseInt(arguments[1]);
    Device device = Devices.open("tcp", DeviceOptions.DEFAULTS.with("bind", "127.0.0.1"));
    group =
        ProcessGroup.builder()
            .rank(rank)
            .size(size)
            .store(arguments[2])
            .device(rank == size - 1 ? withLateConnect(device, arguments[3]) : device)
            .timeout(TIMEOUT)
            .connect();
    group.barrier();
    long start = System.nanoTime();
    try {
      group.split(0, 0);
    } catch (JGlooException e) {
      String first = group.failure().map(JGlooException::getMessage).orElse("nothing");
      long millis = (System.nanoTime() - start) / 1_000_000;
      System.out.println(ENDED + " " + millis + " ms: " + e.getMessage() + "; group: " + first);
      if (rank == size - 1) {
        awaitEnd();
      }
    }
    Runtime.getRuntime().halt(0);
  }

  /** The device, but its meshes of groups made of a group end this rank where they connect. */
  private static Device withLateConnect(Device device, String end) {
    return (Device)
        Proxy.newProxyInstance(
            SplitRank.class.getClassLoader(),
            new Class<?>[] {Device.class},
            (proxy, method, arguments) -> {
              Object made = call(device, method, arguments);
              boolean part =
                  made instanceof Mesh
                      && arguments[0] instanceof Membership of
                      && of.group().contains("/");
              return part ? withEnd((Mesh) made, end) : made;
            });
  }

  private static Mesh withEnd(Mesh mesh, String end) {
    return (Mesh)
        Proxy.newProxyInstance(
            SplitRank.class.getClassLoader(),
            new Class<?>[] {Mesh.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("connect")) {
                if (end.equals(HALTS)) {
                  Runtime.getRuntime().halt(9);
                }
                if (end.equals(CLOSES)) {
                  group.close();
                } else {
                  group.abort("given up");
                }
                awaitEnd();
              }
              return call(mesh, method, arguments);
            });
  }

  /** Waits until the test ends this process. */
  private static void awaitEnd() throws InterruptedException {
    new CountDownLatch(1).await();
  }

  private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
