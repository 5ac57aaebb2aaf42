package io.jgloo.rpc.codec;

import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;

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
    return of(
        "list(" + element.type() + ")",
        (list, out) -> {
          out.putInt(list.size());
          list.forEach(value -> element.write(value, out));
        },
        in -> {
          int count = in.getInt();
          if (count < 0) {
            throw new CodecException("a list of " + count + " elements");
          }
          List<T> list = new ArrayList<>(Math.min(count, in.remaining()));
          for (int i = 0; i < count; i++) {
            int before = in.remaining();
            list.add(element.read(in));
            if (before == 0) {
              checkEmptyElements(count);
            }
          }
          return list;
        });
  }

  private static void checkEmptyElements(int count) {
    if (count > MAX_EMPTY_ELEMENTS) {
      throw new CodecException("a list of " + count + " elements without bytes");
    }
  }

  /** Most elements of a list that take no bytes: their number is all that arrives. */
  private static final int MAX_EMPTY_ELEMENTS = 1 << 16;

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
    return new RecordCodec<>(lookup, type, List.of(components));
  }
}
