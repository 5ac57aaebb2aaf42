package io.jgloo.fault;

import io.jgloo.ProcessGroup;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;

/**
 * The program of one rank that splits its group. The last rank gives the others its address in the
 * new group, and ends its process where it would connect. Arguments: rank, size, store.
 */
final class SplitRank {

  static final String ENDED = "ended";

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private SplitRank() {}

  public static void main(String[] arguments) {
    int rank = Integer.parseInt(arguments[0]);
    int size = Integer.parseInt(arguments[1]);
    Device device = Devices.open("tcp", DeviceOptions.DEFAULTS.with("bind", "127.0.0.1"));
    ProcessGroup group =
        ProcessGroup.builder()
            .rank(rank)
            .size(size)
            .store(arguments[2])
            .device(rank == size - 1 ? withoutConnect(device) : device)
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
    }
    Runtime.getRuntime().halt(0);
  }

  /** The device, but its meshes of groups made of a group end the process where they connect. */
  private static Device withoutConnect(Device device) {
    return proxy(
        Device.class,
        (proxy, method, arguments) -> {
          Object made = call(device, method, arguments);
          boolean part =
              made instanceof Mesh
                  && arguments[0] instanceof Membership of
                  && of.group().contains("/");
          return part ? withoutConnect((Mesh) made) : made;
        });
  }

  private static Mesh withoutConnect(Mesh mesh) {
    return proxy(
        Mesh.class,
        (proxy, method, arguments) -> {
          if (method.getName().equals("connect")) {
            Runtime.getRuntime().halt(9);
          }
          return call(mesh, method, arguments);
        });
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(SplitRank.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
