package io.jgloo.transport.library;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * The virtual threads of JDK 21 and later, found by name as the sources are of JDK 17.
 *
 * <p><i>Threads</i>: any.
 */
public final class VirtualThreads {

  /** {@code (Thread)boolean}; null before JDK 21. */
  private static final MethodHandle IS_VIRTUAL = find();

  private VirtualThreads() {}

  private static MethodHandle find() {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
    } catch (NoSuchMethodException e) {
      return null;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("Thread.isVirtual is public", e);
    }
  }

  /** Whether the calling thread is virtual: a system call that blocks it occupies its carrier. */
  public static boolean isVirtualHere() {
    try {
      return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invokeExact(Thread.currentThread());
    } catch (Throwable e) {
      throw new IllegalStateException("the JVM does not tell whether a thread is virtual", e);
    }
  }
}
