package io.jgloo.rpc.codec;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/** Records, by the codecs of their components; the class is this side's, never the message's. */
final class RecordCodec<T extends Record> implements Codec<T> {

  private final Class<T> kind;
  private final MethodHandle constructor;
  private final List<MethodHandle> accessors = new ArrayList<>();
  private final List<Codec<?>> components;
  private final String type;

  RecordCodec(MethodHandles.Lookup lookup, Class<T> kind, List<Codec<?>> components) {
    this.kind = kind;
    this.components = components;
    RecordComponent[] declared = kind.getRecordComponents();
    if (declared.length != components.size()) {
      throw new IllegalArgumentException(
          ("record " + kind.getName() + " has " + declared.length + " components, but codecs are ")
              + components.size());
    }
    StringJoiner types = new StringJoiner(",", "record(", ")");
    Class<?>[] parameters = new Class<?>[declared.length];
    try {
      for (int i = 0; i < declared.length; i++) {
        parameters[i] = declared[i].getType();
        accessors.add(lookup.unreflect(declared[i].getAccessor()));
        types.add(components.get(i).type());
      }
      constructor =
          lookup
              .findConstructor(kind, MethodType.methodType(void.class, parameters))
              .asSpreader(Object[].class, parameters.length);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("record " + kind.getName() + " is not accessible", e);
    }
    type = types.toString();
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
