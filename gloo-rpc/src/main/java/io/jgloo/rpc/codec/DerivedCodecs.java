package io.jgloo.rpc.codec;

import java.lang.invoke.MethodHandles;
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
}
