package io.jgloo.rpc.codec;

import io.jgloo.transport.ProtocolException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Codecs that follow from types of this program; no message names a type. */
final class DerivedCodecs {

  private static final Map<Class<?>, Codec<?>> KNOWN =
      Map.ofEntries(
          Map.entry(void.class, Codecs.NOTHING),
          Map.entry(Void.class, Codecs.NOTHING),
          Map.entry(boolean.class, Codecs.BOOLEAN),
          Map.entry(Boolean.class, Codecs.BOOLEAN),
          Map.entry(byte.class, Codecs.BYTE),
          Map.entry(Byte.class, Codecs.BYTE),
          Map.entry(short.class, Codecs.SHORT),
          Map.entry(Short.class, Codecs.SHORT),
          Map.entry(int.class, Codecs.INT),
          Map.entry(Integer.class, Codecs.INT),
          Map.entry(long.class, Codecs.LONG),
          Map.entry(Long.class, Codecs.LONG),
          Map.entry(float.class, Codecs.FLOAT),
          Map.entry(Float.class, Codecs.FLOAT),
          Map.entry(double.class, Codecs.DOUBLE),
          Map.entry(Double.class, Codecs.DOUBLE),
          Map.entry(String.class, Codecs.STRING),
          Map.entry(byte[].class, Codecs.BYTES),
          Map.entry(int[].class, Codecs.INTS),
          Map.entry(long[].class, Codecs.LONGS),
          Map.entry(float[].class, Codecs.FLOATS),
          Map.entry(double[].class, Codecs.DOUBLES),
          Map.entry(Block.class, Codecs.BLOCK),
          Map.entry(ByteBuffer.class, Codecs.BUFFER));

  /** Records whose components are being looked at. */
  private final Set<Class<?>> open = new HashSet<>();

  private DerivedCodecs() {}

  static Codec<?> of(Type type) {
    return new DerivedCodecs().codec(type);
  }

  private Codec<?> codec(Type type) {
    if (type instanceof ParameterizedType generic) {
      return generic(generic);
    }
    if (!(type instanceof Class<?> raw)) {
      throw new IllegalArgumentException("no codec follows from the type variable " + type);
    }
    Codec<?> known = KNOWN.get(raw);
    if (known != null) {
      return known;
    } else if (raw.isEnum()) {
      return enumeration(raw);
    } else if (raw.isRecord()) {
      return record(raw.asSubclass(Record.class));
    }
    throw new IllegalArgumentException(
        "no codec follows from " + type.getTypeName() + ": use a record, or give a codec");
  }

  private Codec<?> generic(ParameterizedType type) {
    Type[] of = type.getActualTypeArguments();
    Type raw = type.getRawType();
    if (raw == List.class || raw == Collection.class) {
      return Codecs.list(codec(of[0]));
    } else if (raw == Set.class) {
      return Codecs.set(codec(of[0]));
    } else if (raw == Optional.class) {
      return Codecs.optional(codec(of[0]));
    } else if (raw == Map.class) {
      return Codecs.map(codec(of[0]), codec(of[1]));
    }
    throw new IllegalArgumentException("no codec follows from " + type.getTypeName());
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // the caller has seen that it is an enum
  private static Codec<?> enumeration(Class<?> type) {
    return Codecs.enumeration((Class) type);
  }

  private <T extends Record> Codec<T> record(Class<T> type) {
    if (!open.add(type)) {
      throw new IllegalArgumentException(
          "record " + type.getName() + " contains itself: give a codec");
    }
    List<Codec<?>> components = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      components.add(codec(component.getGenericType()));
    }
    open.remove(type);
    return new RecordCodec<>(MethodHandles.lookup(), type, components, true);
  }

  /** Records, by the codecs of their components; the class is this side's, never the message's. */
  static final class RecordCodec<T extends Record> implements Codec<T> {

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
        throw new ProtocolException("a " + kind.getSimpleName() + " of these values: " + e);
      }
    }
  }
}
