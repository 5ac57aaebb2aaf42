package io.jgloo.rpc.codec;

import io.jgloo.transport.ProtocolException;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/** Codecs of the usual types. */
public final class Codecs {

  /** No value: null. */
  public static final Codec<Void> NOTHING = of("nothing", (value, out) -> {}, in -> null);

  public static final Codec<Boolean> BOOLEAN =
      of("bool", (value, out) -> out.putByte(value ? 1 : 0), in -> in.getByte() != 0);
  public static final Codec<Byte> BYTE =
      of("i8", (value, out) -> out.putByte(value), MessageReader::getByte);
  public static final Codec<Short> SHORT =
      of("i16", (value, out) -> out.putShort(value), MessageReader::getShort);
  public static final Codec<Integer> INT =
      of("i32", (value, out) -> out.putInt(value), MessageReader::getInt);
  public static final Codec<Long> LONG =
      of("i64", (value, out) -> out.putLong(value), MessageReader::getLong);
  public static final Codec<Float> FLOAT =
      of("f32", (value, out) -> out.putFloat(value), MessageReader::getFloat);
  public static final Codec<Double> DOUBLE =
      of("f64", (value, out) -> out.putDouble(value), MessageReader::getDouble);

  /** Text in UTF-8. */
  public static final Codec<String> STRING =
      of("string", (value, out) -> out.putString(value), MessageReader::getString);

  public static final Codec<byte[]> BYTES =
      of("i8[]", (value, out) -> out.putBytes(value), MessageReader::getBytes);

  public static final Codec<int[]> INTS =
      of(
          "i32[]",
          (value, out) -> {
            out.putInt(value.length);
            out.next(4L * value.length).asIntBuffer().put(value);
          },
          in -> {
            int[] value = new int[in.getCount(Integer.BYTES)];
            in.next(Integer.BYTES * value.length).asIntBuffer().get(value);
            return value;
          });

  public static final Codec<long[]> LONGS =
      of(
          "i64[]",
          (value, out) -> {
            out.putInt(value.length);
            out.next(8L * value.length).asLongBuffer().put(value);
          },
          in -> {
            long[] value = new long[in.getCount(Long.BYTES)];
            in.next(Long.BYTES * value.length).asLongBuffer().get(value);
            return value;
          });

  public static final Codec<float[]> FLOATS =
      of(
          "f32[]",
          (value, out) -> {
            out.putInt(value.length);
            out.next(4L * value.length).asFloatBuffer().put(value);
          },
          in -> {
            float[] value = new float[in.getCount(Float.BYTES)];
            in.next(Float.BYTES * value.length).asFloatBuffer().get(value);
            return value;
          });

  public static final Codec<double[]> DOUBLES =
      of(
          "f64[]",
          (value, out) -> {
            out.putInt(value.length);
            out.next(8L * value.length).asDoubleBuffer().put(value);
          },
          in -> {
            double[] value = new double[in.getCount(Double.BYTES)];
            in.next(Double.BYTES * value.length).asDoubleBuffer().get(value);
            return value;
          });

  /**
   * Off-heap memory, not copied: may be longer than 2 GiB. The sender's block belongs to the call;
   * the receiver's is closed with the call whose argument it is, and by the caller if it is a
   * result.
   */
  public static final Codec<Block> BLOCK =
      of("block", (value, out) -> out.putBlock(value), MessageReader::getBlock);

  /** The remaining bytes of a buffer, copied. */
  public static final Codec<ByteBuffer> BUFFER =
      of(
          "i8[]",
          (value, out) -> {
            out.putInt(value.remaining());
            out.next(value.remaining()).put(value.duplicate());
          },
          in -> ByteBuffer.wrap(in.getBytes()));

  private Codecs() {}

  /**
   * A codec of two functions.
   *
   * @param type see {@link Codec#type}
   */
  public static <T> Codec<T> of(
      String type, BiConsumer<T, MessageWriter> writer, Function<MessageReader, T> reader) {
    return new Codec<>() {
      @Override
      public String type() {
        return type;
      }

      @Override
      public void write(T value, MessageWriter out) {
        writer.accept(value, out);
      }

      @Override
      public T read(MessageReader in) {
        return reader.apply(in);
      }

      @Override
      public String toString() {
        return type;
      }
    };
  }

  /** Lists of non-null elements. */
  public static <T> Codec<List<T>> list(Codec<T> element) {
    return collection("list", element, ArrayList::new);
  }

  /** Sets of non-null elements, in the order of their iteration. */
  public static <T> Codec<Set<T>> set(Codec<T> element) {
    return collection("set", element, LinkedHashSet::new);
  }

  private static <T, C extends Collection<T>> Codec<C> collection(
      String name, Codec<T> element, IntFunction<C> make) {
    return of(
        name + "(" + element.type() + ")",
        (values, out) -> {
          out.putInt(values.size());
          values.forEach(value -> element.write(value, out));
        },
        in -> {
          int count = in.getCount();
          C values = make.apply(Math.min(count, in.remaining()));
          in.getElements(count, () -> values.add(element.read(in)));
          return values;
        });
  }

  /** Maps without null, in the order of their iteration. */
  public static <K, V> Codec<Map<K, V>> map(Codec<K> key, Codec<V> value) {
    return of(
        "map(" + key.type() + "," + value.type() + ")",
        (map, out) -> {
          out.putInt(map.size());
          map.forEach(
              (each, its) -> {
                key.write(each, out);
                value.write(its, out);
              });
        },
        in -> {
          int count = in.getCount();
          Map<K, V> map = new LinkedHashMap<>(Math.min(count, in.remaining()));
          in.getElements(count, () -> map.put(key.read(in), value.read(in)));
          return map;
        });
  }

  /** Constants of an enum; both ends have the same ones in the same order. */
  @SuppressWarnings("EnumOrdinal") // the name of the codec lists the constants in their order
  public static <E extends Enum<E>> Codec<E> enumeration(Class<E> type) {
    E[] constants = type.getEnumConstants();
    String names = Arrays.stream(constants).map(Enum::name).collect(Collectors.joining(","));
    return of(
        "enum(" + names + ")",
        (value, out) -> out.putInt(value.ordinal()),
        in -> {
          int ordinal = in.getInt();
          if (ordinal < 0 || ordinal >= constants.length) {
            throw new ProtocolException(
                "a " + type.getSimpleName() + " of ordinal " + ordinal + " of " + constants.length);
          }
          return constants[ordinal];
        });
  }

  /** Values of several codecs, one after another. */
  @SuppressWarnings("unchecked") // a value of another type fails in its codec
  public static Codec<Object[]> tuple(Codec<?>... parts) {
    List<Codec<Object>> codecs = new ArrayList<>();
    for (Codec<?> part : parts) {
      codecs.add((Codec<Object>) part);
    }
    return of(
        codecs.stream().map(Codec::type).collect(Collectors.joining(",", "tuple(", ")")),
        (values, out) -> {
          for (int i = 0; i < parts.length; i++) {
            codecs.get(i).write(values[i], out);
          }
        },
        in -> {
          Object[] values = new Object[parts.length];
          for (int i = 0; i < parts.length; i++) {
            values[i] = codecs.get(i).read(in);
          }
          return values;
        });
  }

  /** Objects that stay where they are: agents reach them by remote references only. */
  public static <T> Codec<T> local(Class<T> type) {
    String name = "local(" + type.getSimpleName() + ")";
    return of(
        name,
        (value, out) -> {
          throw new IllegalArgumentException(
              "a " + type.getSimpleName() + " stays at its owner: call its methods");
        },
        in -> {
          throw new ProtocolException("a " + name + " in a message");
        });
  }

  /**
   * A codec that follows from a type: primitive types, {@code String}, arrays of numbers, {@code
   * ByteBuffer}, {@link Block}, enums, records, and {@code List}, {@code Set}, {@code Map}, {@code
   * Optional} of such.
   *
   * @throws IllegalArgumentException if the type is none of these, a record that contains itself,
   *     or one of a module that does not open its package to this one
   */
  public static Codec<?> derived(Type type) {
    return DerivedCodecs.of(type);
  }

  /** Values that may be absent. */
  public static <T> Codec<Optional<T>> optional(Codec<T> value) {
    return of(
        "optional(" + value.type() + ")",
        (optional, out) -> {
          out.putByte(optional.isPresent() ? 1 : 0);
          optional.ifPresent(present -> value.write(present, out));
        },
        in -> in.getByte() == 0 ? Optional.empty() : Optional.of(value.read(in)));
  }

  /**
   * Records, their components one after another.
   *
   * @param lookup with access to the record's constructor and accessors: {@code
   *     MethodHandles.lookup()} of a class that may call them
   * @param components codecs of the components, in their order
   * @throws IllegalArgumentException if the number of codecs is wrong or access is denied
   */
  public static <T extends Record> Codec<T> record(
      MethodHandles.Lookup lookup, Class<T> type, Codec<?>... components) {
    return new DerivedCodecs.RecordCodec<>(lookup, type, List.of(components), false);
  }
}
