package io.jgloo.rpc.codec;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Records, by the codecs of their components; the class is this side's, never the message's. */
final class RecordCodec<T extends Record> implements Codec<T> {

  private final Class<T> kind;
  private final MethodHandle constructor;
  private final List<MethodHandle> accessors = new ArrayList<>();
  private final List<Codec<?>> components;
  private final String type;

  /** Needs a lookup with access. */
  RecordCodec(MethodHandles.Lookup lookup, Class<T> kind, List<Codec<?>> components) {
    this(
        lookup,
        kind,
        constructor(kind),
        Arrays.stream(kind.getRecordComponents())
            .map(RecordComponent::getAccessor)
            .toArray(Method[]::new),
        components);
  }

  RecordCodec(
      MethodHandles.Lookup lookup,
      Class<T> kind,
      Constructor<T> constructor,
      Method[] accessors,
      List<Codec<?>> components) {
    this.kind = kind;
    this.components = components;
    if (accessors.length != components.size()) {
      throw new IllegalArgumentException(
          ("record " + kind.getName() + " has " + accessors.length + " components, but codecs are ")
              + components.size());
    }
    try {
      for (Method accessor : accessors) {
        this.accessors.add(lookup.unreflect(accessor));
      }
      this.constructor =
          lookup.unreflectConstructor(constructor).asSpreader(Object[].class, accessors.length);
    } catch (IllegalAccessException e) {
      throw new IllegalArgumentException("record " + kind.getName() + " is not accessible", e);
    }
    type = components.stream().map(Codec::type).collect(Collectors.joining(",", "record(", ")"));
  }

  private static <T> Constructor<T> constructor(Class<T> kind) {
    Class<?>[] parameters =
        Arrays.stream(kind.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      return kind.getDeclaredConstructor(parameters);
    } catch (NoSuchMethodException e) {
      throw new AssertionError("each record has this constructor", e);
    }
  }

  @Override
  public String type() {
    return type;
  }

  @Override
  public void write(T value, MessageWriter out) {
    for (int i = 0; i < components.size(); i++) {
      write(components.get(i), component(value, i), out);
    }
  }

  private Object component(T value, int index) {
    try {
      return (Object) accessors.get(index).invoke(value);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("an accessor of " + kind.getName() + " failed", e);
    }
  }

  @SuppressWarnings("unchecked") // a wrong value fails with a ClassCastException in the codec
  private static <V> void write(Codec<V> codec, Object value, MessageWriter out) {
    codec.write((V) value, out);
  }

  @Override
  public T read(MessageReader in) {
    Object[] values = new Object[components.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = components.get(i).read(in);
    }
    try {
      return kind.cast((Object) constructor.invoke(values));
    } catch (Throwable e) { // the constructor refuses the values
      throw new CodecException("a " + kind.getSimpleName() + " of these values: " + e);
    }
  }
}
