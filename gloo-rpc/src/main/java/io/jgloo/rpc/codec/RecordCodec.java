package io.jgloo.rpc.codec;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Records, by the codecs of their components; the class is this side's, never the message's. */
final class RecordCodec<T extends Record> implements Codec<T> {

  private final Class<T> kind;
  private final MethodHandle constructor;
  private final List<MethodHandle> accessors = new ArrayList<>();
  private final List<Codec<?>> components;
  private final String type;

  /**
   * @param opens whether the lookup has no access, and needs a package that is open to it
   */
  RecordCodec(
      MethodHandles.Lookup lookup, Class<T> kind, List<Codec<?>> components, boolean opens) {
    this.kind = kind;
    this.components = components;
    RecordComponent[] parts = kind.getRecordComponents();
    if (parts.length != components.size()) {
      throw new IllegalArgumentException(
          ("record " + kind.getName() + " has " + parts.length + " components, but codecs are ")
              + components.size());
    }
    Class<?>[] parameters = new Class<?>[parts.length];
    try {
      for (int i = 0; i < parts.length; i++) {
        parameters[i] = parts[i].getType();
        accessors.add(lookup.unreflect(accessible(parts[i].getAccessor(), opens)));
      }
      Constructor<T> made = accessible(kind.getDeclaredConstructor(parameters), opens);
      constructor = lookup.unreflectConstructor(made).asSpreader(Object[].class, parts.length);
    } catch (ReflectiveOperationException | InaccessibleObjectException e) {
      throw new IllegalArgumentException(
          ("record " + kind.getName() + " is not accessible: open its package to module ")
              + "io.jgloo.rpc, or use Codecs.record with a lookup that may call it",
          e);
    }
    type = components.stream().map(Codec::type).collect(Collectors.joining(",", "record(", ")"));
  }

  private static <E extends AccessibleObject> E accessible(E member, boolean opens) {
    if (opens) {
      member.setAccessible(true);
    }
    return member;
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
