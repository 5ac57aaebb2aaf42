package io.jgloo.collectives.kernel;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * C calls by {@code java.lang.foreign}, found by reflection, for Java 22 and later: under 10 ns.
 *
 * <p>A record, because the compiler trusts a record's fields: reached through a {@code static
 * final} reference the handles are constants, and the call is inlined.
 */
record ForeignCalls(
    MethodHandle abi, MethodHandle level, MethodHandle lookup, MethodHandle reduction)
    implements NativeCalls {

  /** The first JDK release whose {@code java.lang.foreign} is final. */
  static final int FIRST_RELEASE = 22;

  static NativeCalls bind(Path library) {
    try {
      Binder binder = new Binder(library);
      return new ForeignCalls(
          binder.function("jgloo_abi_version", int.class),
          binder.function("jgloo_kernel_level", int.class),
          binder.function("jgloo_kernel", int.class, int.class, int.class, int.class),
          binder.function(
              "jgloo_reduce", void.class, int.class, long.class, long.class, long.class));
    } catch (InvocationTargetException e) {
      throw linkError(library, e.getCause());
    } catch (ReflectiveOperationException e) {
      throw linkError(library, e);
    }
  }

  private static UnsatisfiedLinkError linkError(Path library, Throwable cause) {
    UnsatisfiedLinkError error = new UnsatisfiedLinkError("cannot bind " + library + ": " + cause);
    error.initCause(cause);
    return error;
  }

  @Override
  public int abiVersion() {
    try {
      return (int) abi.invokeExact();
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  public int kernelLevel() {
    try {
      return (int) level.invokeExact();
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  public int kernel(int level, int type, int op) {
    try {
      return (int) lookup.invokeExact(level, type, op);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  public void reduce(int handle, long target, long source, long count) {
    try {
      reduction.invokeExact(handle, target, source, count);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  public int callNanos() {
    return 10;
  }

  /** C throws nothing; what is left are errors of the JVM, passed on as they are. */
  private static RuntimeException unexpected(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    return thrown instanceof RuntimeException exception
        ? exception
        : new IllegalStateException(thrown);
  }

  /** The steps from a symbol's name to a handle, each a reflective call. */
  private static final class Binder {

    private static final String PACKAGE = "java.lang.foreign.";

    private final Class<?> layoutType = Class.forName(PACKAGE + "MemoryLayout");
    private final Class<?> descriptorType = Class.forName(PACKAGE + "FunctionDescriptor");
    private final Class<?> linkerType = Class.forName(PACKAGE + "Linker");
    private final Class<?> symbolsType = Class.forName(PACKAGE + "SymbolLookup");
    private final Object linker;
    private final Object symbols;

    Binder(Path library) throws ReflectiveOperationException {
      Class<?> arenaType = Class.forName(PACKAGE + "Arena");
      Object forever = arenaType.getMethod("global").invoke(null);
      linker = linkerType.getMethod("nativeLinker").invoke(null);
      symbols =
          symbolsType
              .getMethod("libraryLookup", Path.class, arenaType)
              .invoke(null, library, forever);
    }

    MethodHandle function(String name, Class<?> result, Class<?>... parameters)
        throws ReflectiveOperationException {
      Optional<?> symbol =
          (Optional<?>) symbolsType.getMethod("find", String.class).invoke(symbols, name);
      Object arguments = Array.newInstance(layoutType, parameters.length);
      for (int i = 0; i < parameters.length; i++) {
        Array.set(arguments, i, layout(parameters[i]));
      }
      Object descriptor =
          result == void.class
              ? descriptorType.getMethod("ofVoid", arguments.getClass()).invoke(null, arguments)
              : descriptorType
                  .getMethod("of", layoutType, arguments.getClass())
                  .invoke(null, layout(result), arguments);
      Class<?> optionType = Class.forName(PACKAGE + "Linker$Option");
      Class<?> segmentType = Class.forName(PACKAGE + "MemorySegment");
      return (MethodHandle)
          linkerType
              .getMethod("downcallHandle", segmentType, descriptorType, optionType.arrayType())
              .invoke(
                  linker,
                  symbol.orElseThrow(() -> new UnsatisfiedLinkError("no symbol " + name)),
                  descriptor,
                  Array.newInstance(optionType, 0));
    }

    private static Object layout(Class<?> carrier) throws ReflectiveOperationException {
      String name = carrier == int.class ? "JAVA_INT" : "JAVA_LONG";
      return Class.forName(PACKAGE + "ValueLayout").getField(name).get(null);
    }
  }
}
