package io.jgloo.transport.memory;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.nio.Buffer;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Raw memory through {@code java.lang.foreign}, found by reflection, for Java 22 and later.
 *
 * <p>One segment spans all addresses; an access at an address is an access at that offset of it.
 * Widening the segment and linking C functions are restricted operations: Java 24 and later print a
 * warning unless started with {@code --enable-native-access=io.jgloo.transport} (or {@code
 * ALL-UNNAMED} on the class path).
 */
final class ForeignHandles implements MemoryHandles {

  private static final String PACKAGE = "java.lang.foreign.";

  private final MethodHandles.Lookup lookup = MethodHandles.publicLookup();
  private final Class<?> segmentType = Class.forName(PACKAGE + "MemorySegment");
  private final Class<?> layoutType = Class.forName(PACKAGE + "ValueLayout");
  private final Object everything;
  private final MethodHandle malloc;
  private final MethodHandle free;
  private final MethodHandle addressOf;

  ForeignHandles() throws ReflectiveOperationException {
    Object nothing = segmentType.getField("NULL").get(null);
    everything = segmentType.getMethod("reinterpret", long.class).invoke(nothing, Long.MAX_VALUE);
    Object linker = Class.forName(PACKAGE + "Linker").getMethod("nativeLinker").invoke(null);
    Object size = layoutType.getField("JAVA_LONG").get(null);
    malloc = downcall(linker, "malloc", size, size);
    free = downcall(linker, "free", null, size);
    addressOf = bufferAddress();
  }

  @Override
  public MethodHandle getter(Class<?> carrier) {
    return access(unaligned(carrier), VarHandle.AccessMode.GET);
  }

  @Override
  public MethodHandle setter(Class<?> carrier) {
    return access(unaligned(carrier), VarHandle.AccessMode.SET);
  }

  @Override
  public MethodHandle copy() {
    MethodHandle copy = segmentCopy(segmentType, long.class, segmentType, long.class, long.class);
    return MethodHandles.insertArguments(
        MethodHandles.insertArguments(copy, 2, everything), 0, everything);
  }

  @Override
  public MethodHandle copyFromArray(Class<?> carrier) {
    MethodHandle copy =
        segmentCopy(Object.class, int.class, segmentType, layoutType, long.class, int.class);
    return MethodHandles.insertArguments(copy, 2, everything, layout(carrier))
        .asType(methodType(void.class, carrier.arrayType(), int.class, long.class, int.class));
  }

  @Override
  public MethodHandle copyToArray(Class<?> carrier) {
    MethodHandle copy =
        segmentCopy(segmentType, layoutType, long.class, Object.class, int.class, int.class);
    return MethodHandles.insertArguments(copy, 0, everything, layout(carrier))
        .asType(methodType(void.class, long.class, carrier.arrayType(), int.class, int.class));
  }

  @Override
  public MethodHandle addressOf() {
    return addressOf;
  }

  @Override
  public MethodHandle arrayOf() {
    try {
      MethodHandle base = lookup.findVirtual(segmentType, "heapBase", methodType(Optional.class));
      MethodHandle value = lookup.findVirtual(Optional.class, "get", methodType(Object.class));
      MethodHandle chain = MethodHandles.filterReturnValue(segmentOf(), base);
      return MethodHandles.filterReturnValue(chain, value);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public long arrayOrigin() {
    return 0;
  }

  private MethodHandle segmentOf() throws ReflectiveOperationException {
    return lookup.findStatic(segmentType, "ofBuffer", methodType(segmentType, Buffer.class));
  }

  @Override
  public MethodHandle malloc() {
    return malloc;
  }

  @Override
  public MethodHandle free() {
    return free;
  }

  @Override
  public MethodHandle getLongAcquire() {
    return access("JAVA_LONG", VarHandle.AccessMode.GET_ACQUIRE);
  }

  @Override
  public MethodHandle putLongRelease() {
    return access("JAVA_LONG", VarHandle.AccessMode.SET_RELEASE);
  }

  @Override
  public MethodHandle compareAndSetLong() {
    return access("JAVA_LONG", VarHandle.AccessMode.COMPARE_AND_SET);
  }

  /** {@code MemorySegment.ofBuffer} starts at the position; the base lies that far below. */
  private MethodHandle bufferAddress() throws ReflectiveOperationException {
    MethodHandle address = lookup.findVirtual(segmentType, "address", methodType(long.class));
    MethodHandle atPosition = MethodHandles.filterReturnValue(segmentOf(), address);
    MethodHandle base =
        MethodHandles.lookup()
            .findStatic(
                ForeignHandles.class, "base", methodType(long.class, long.class, Buffer.class));
    KnownAddresses known = new KnownAddresses(MethodHandles.foldArguments(base, atPosition));
    return MethodHandles.lookup()
        .findVirtual(KnownAddresses.class, "of", methodType(long.class, Buffer.class))
        .bindTo(known);
  }

  @SuppressWarnings("UnusedMethod") // found by name
  private static long base(long atPosition, Buffer buffer) {
    return atPosition - ((long) buffer.position() << elementShift(buffer));
  }

  private static int elementShift(Buffer buffer) {
    if (buffer instanceof FloatBuffer || buffer instanceof IntBuffer) {
      return 2;
    }
    if (buffer instanceof DoubleBuffer || buffer instanceof LongBuffer) {
      return 3;
    }
    return buffer instanceof ShortBuffer || buffer instanceof CharBuffer ? 1 : 0;
  }

  private MethodHandle access(String layout, VarHandle.AccessMode mode) {
    try {
      VarHandle handle = (VarHandle) layoutType.getMethod("varHandle").invoke(layout(layout));
      return handle.toMethodHandle(mode).bindTo(everything);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private Object layout(Class<?> carrier) {
    return layout(unaligned(carrier));
  }

  private static String unaligned(Class<?> carrier) {
    String unaligned = carrier == byte.class ? "" : "_UNALIGNED";
    return "JAVA_" + carrier.getName().toUpperCase(Locale.ROOT) + unaligned;
  }

  private Object layout(String name) {
    try {
      return layoutType.getField(name).get(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private MethodHandle segmentCopy(Class<?>... parameters) {
    try {
      return lookup.findStatic(segmentType, "copy", methodType(void.class, parameters));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A C function of one size-like argument; {@code result} null means void. */
  private static MethodHandle downcall(
      Object linker, String name, @Nullable Object result, Object argument)
      throws ReflectiveOperationException {
    Class<?> linkerType = Class.forName(PACKAGE + "Linker");
    Class<?> layouts = Class.forName(PACKAGE + "MemoryLayout");
    Class<?> descriptors = Class.forName(PACKAGE + "FunctionDescriptor");
    Object arguments = Array.newInstance(layouts, 1);
    Array.set(arguments, 0, argument);
    Object descriptor =
        result == null
            ? descriptors.getMethod("ofVoid", layouts.arrayType()).invoke(null, arguments)
            : descriptors
                .getMethod("of", layouts, layouts.arrayType())
                .invoke(null, result, arguments);
    Object libc = linkerType.getMethod("defaultLookup").invoke(linker);
    Optional<?> symbol =
        (Optional<?>)
            Class.forName(PACKAGE + "SymbolLookup")
                .getMethod("find", String.class)
                .invoke(libc, name);
    Class<?> optionType = Class.forName(PACKAGE + "Linker$Option");
    Method link =
        linkerType.getMethod(
            "downcallHandle",
            Class.forName(PACKAGE + "MemorySegment"),
            descriptors,
            optionType.arrayType());
    return (MethodHandle)
        link.invoke(
            linker,
            symbol.orElseThrow(() -> new NoSuchMethodException("C function " + name)),
            descriptor,
            Array.newInstance(optionType, 0));
  }
}
