package io.jgloo.transport.memory;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;

/**
 * Raw memory through {@code jdk.unsupported}, found by reflection, for Java 17 to 21.
 *
 * <p>Not named at compile time: the class is to leave the JDK, and Java 24 already warns about it.
 */
final class UnsafeHandles implements MemoryHandles {

  private final MethodHandles.Lookup lookup = MethodHandles.publicLookup();
  private final Class<?> type;
  private final Object unsafe;
  private final MethodHandle copyMemory;
  private final MethodHandle addressOf;
  private final MethodHandle malloc;
  private final MethodHandle free;

  UnsafeHandles() throws ReflectiveOperationException {
    type = Class.forName("sun.misc.Unsafe");
    Field singleton = type.getDeclaredField("theUnsafe");
    singleton.setAccessible(true);
    unsafe = singleton.get(null);
    copyMemory =
        bound(
            "copyMemory",
            void.class,
            Object.class,
            long.class,
            Object.class,
            long.class,
            long.class);
    addressOf = bufferAddress();
    malloc = bound("allocateMemory", long.class, long.class);
    free = bound("freeMemory", void.class, long.class);
  }

  @Override
  public MethodHandle getter(Class<?> carrier) {
    return require("get" + capitalized(carrier), carrier, long.class);
  }

  @Override
  public MethodHandle setter(Class<?> carrier) {
    return require("put" + capitalized(carrier), void.class, long.class, carrier);
  }

  @Override
  public MethodHandle copy() {
    return MethodHandles.insertArguments(
        MethodHandles.insertArguments(copyMemory, 2, (Object) null), 0, (Object) null);
  }

  @Override
  public MethodHandle copyFromArray(Class<?> carrier) {
    Class<?> array = carrier.arrayType();
    // copyMemory(array, offset(index), null, target, bytes(count)), a filter for each conversion
    MethodHandle toAddress = MethodHandles.insertArguments(copyMemory, 2, (Object) null);
    MethodHandle scaled =
        MethodHandles.filterArguments(toAddress, 1, arrayOffset(array), null, scaled(array));
    return scaled.asType(methodType(void.class, array, int.class, long.class, int.class));
  }

  @Override
  public MethodHandle copyToArray(Class<?> carrier) {
    Class<?> array = carrier.arrayType();
    MethodHandle fromAddress = MethodHandles.insertArguments(copyMemory, 0, (Object) null);
    MethodHandle scaled =
        MethodHandles.filterArguments(fromAddress, 2, arrayOffset(array), scaled(array));
    return scaled.asType(methodType(void.class, long.class, array, int.class, int.class));
  }

  @Override
  public MethodHandle addressOf() {
    return addressOf;
  }

  @Override
  public MethodHandle arrayOf() {
    return own("array", Object.class, UnsafeHandles.class, Buffer.class).bindTo(this);
  }

  @Override
  public long arrayOrigin() {
    return constant("arrayBaseOffset", byte[].class);
  }

  /** The array of the byte buffer that a view keeps in its field {@code bb}. */
  @SuppressWarnings("UnusedMethod") // found by name
  private static Object array(UnsafeHandles handles, Buffer view) {
    try {
      Field field = view.getClass().getDeclaredField("bb");
      long offset = handles.offsetOf(field);
      MethodHandle get = handles.bound("getObject", Object.class, Object.class, long.class);
      return ((ByteBuffer) get.invoke(view, offset)).array();
    } catch (Throwable e) {
      throw new IllegalStateException("no array known of " + view, e);
    }
  }

  private long offsetOf(Field field) throws ReflectiveOperationException {
    return (long) type.getMethod("objectFieldOffset", Field.class).invoke(unsafe, field);
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
    return absolute(require("getLongVolatile", long.class, Object.class, long.class));
  }

  @Override
  public MethodHandle putLongRelease() {
    return absolute(require("putOrderedLong", void.class, Object.class, long.class, long.class));
  }

  @Override
  public MethodHandle compareAndSetLong() {
    return absolute(
        require(
            "compareAndSwapLong", boolean.class, Object.class, long.class, long.class, long.class));
  }

  /** An access to an address in place of one to a field of an object. */
  private static MethodHandle absolute(MethodHandle access) {
    return MethodHandles.insertArguments(access, 0, (Object) null);
  }

  /** The field every direct buffer keeps its base address in; JNI reads the same one. */
  private MethodHandle bufferAddress() throws ReflectiveOperationException {
    long offset = offsetOf(Buffer.class.getDeclaredField("address"));
    MethodHandle getLong = bound("getLong", long.class, Object.class, long.class);
    return MethodHandles.insertArguments(getLong, 1, offset)
        .asType(methodType(long.class, Buffer.class));
  }

  private MethodHandle arrayOffset(Class<?> array) {
    return MethodHandles.insertArguments(
        offset(), 0, (long) constant("arrayBaseOffset", array), constant("arrayIndexScale", array));
  }

  private MethodHandle scaled(Class<?> array) {
    return MethodHandles.insertArguments(offset(), 0, 0L, constant("arrayIndexScale", array));
  }

  @SuppressWarnings("UnusedMethod") // found by name
  private static long offset(long base, int scale, int index) {
    return base + (long) scale * index;
  }

  private static MethodHandle offset() {
    return own("offset", long.class, long.class, int.class, int.class);
  }

  private static MethodHandle own(String name, Class<?> result, Class<?>... parameters) {
    try {
      return MethodHandles.lookup()
          .findStatic(UnsafeHandles.class, name, methodType(result, parameters));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private int constant(String method, Class<?> array) {
    try {
      return (int) type.getMethod(method, Class.class).invoke(unsafe, array);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private MethodHandle require(String name, Class<?> result, Class<?>... parameters) {
    try {
      return bound(name, result, parameters);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private MethodHandle bound(String name, Class<?> result, Class<?>... parameters)
      throws ReflectiveOperationException {
    return lookup.findVirtual(type, name, methodType(result, parameters)).bindTo(unsafe);
  }

  private static String capitalized(Class<?> carrier) {
    String name = carrier.getName();
    return Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }
}
