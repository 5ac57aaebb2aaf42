package io.jgloo.rpc;

import io.jgloo.rpc.codec.Codec;
import io.jgloo.rpc.codec.Codecs;
import io.jgloo.rpc.codec.MessageWriter;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * Name and types of a function that agents can call on each other: the same at caller and callee.
 *
 * @param name 1 to 128 letters, digits and {@code - _ : . /}
 * @param argument how arguments travel
 * @param result how results travel
 * @param <A> type of the argument
 * @param <R> type of the result
 */
public record RpcFunction<A, R>(String name, Codec<A> argument, Codec<R> result) {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_:./-]{1,128}");
  private static final long HASH_START = 0xcbf29ce484222325L;
  private static final long HASH_FACTOR = 0x100000001b3L;

  /**
   * @throws IllegalArgumentException if the name is malformed
   */
  public RpcFunction {
    Objects.requireNonNull(argument, "argument");
    Objects.requireNonNull(result, "result");
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "name of a function must match " + NAME + ", but is '" + name + "'");
    }
  }

  /** Describes a function of no argument. */
  public static <R> Of0<R> of(String name, Codec<R> result) {
    return new Of0<>(new RpcFunction<>(name, Codecs.tuple(), result));
  }

  /** Describes a function of one argument. */
  public static <A, R> RpcFunction<A, R> of(String name, Codec<A> argument, Codec<R> result) {
    return new RpcFunction<>(name, argument, result);
  }

  /** Describes a function of two arguments. */
  public static <A, B, R> Of2<A, B, R> of(
      String name, Codec<A> first, Codec<B> second, Codec<R> result) {
    return new Of2<>(new RpcFunction<>(name, Codecs.tuple(first, second), result));
  }

  /** Describes a function of three arguments. */
  public static <A, B, C, R> Of3<A, B, C, R> of(
      String name, Codec<A> first, Codec<B> second, Codec<C> third, Codec<R> result) {
    return new Of3<>(new RpcFunction<>(name, Codecs.tuple(first, second, third), result));
  }

  /** Returns a call with this argument. */
  public RpcCall<A, R> call(A value) {
    return new RpcCall<>(this, value);
  }

  /** A function of no argument. */
  public record Of0<R>(RpcFunction<Object[], R> function) {
    public RpcCall<?, R> call() {
      return function.call(new Object[0]);
    }
  }

  /** A function of two arguments. */
  public record Of2<A, B, R>(RpcFunction<Object[], R> function) {
    public RpcCall<?, R> call(A first, B second) {
      return function.call(new Object[] {first, second});
    }
  }

  /** A function of three arguments. */
  public record Of3<A, B, C, R>(RpcFunction<Object[], R> function) {
    public RpcCall<?, R> call(A first, B second, C third) {
      return function.call(new Object[] {first, second, third});
    }
  }

  /** Writes a call: i64 id, i32 id of the types, argument. */
  void writeCall(A value, MessageWriter out) {
    out.putLong(id()).putInt(typesId());
    argument.write(value, out);
  }

  /** What stands for the name in a message: its FNV-1a hash. */
  long id() {
    long hash = HASH_START;
    for (byte character : name.getBytes(StandardCharsets.US_ASCII)) {
      hash = (hash ^ character) * HASH_FACTOR;
    }
    return hash;
  }

  /** What stands for the types in a message. */
  int typesId() {
    CRC32C sum = new CRC32C();
    sum.update(types().getBytes(StandardCharsets.UTF_8));
    return (int) sum.getValue();
  }

  private String types() {
    return "(" + argument.type() + ")->" + result.type();
  }

  /** Name and types, such as {@code add(i64[])->i64}. */
  @Override
  public String toString() {
    return name + types();
  }
}
