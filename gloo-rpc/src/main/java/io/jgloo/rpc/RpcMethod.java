package io.jgloo.rpc;

import io.jgloo.rpc.codec.Codec;
import io.jgloo.rpc.codec.Codecs;

/**
 * Name and types of a method that agents can call on an object of another agent, by its {@link
 * RRef}.
 *
 * @param name as that of a {@link RpcFunction}
 * @param object how the object travels; {@link Codecs#local} for one that stays where it is
 * @param <T> type of the object
 * @param <A> type of the argument
 * @param <R> type of the result
 */
public record RpcMethod<T, A, R>(String name, Codec<T> object, Codec<A> argument, Codec<R> result) {

  /** A reference and the argument of a call. */
  record Bound<T, A>(RRef<T> object, A argument) {}

  RpcFunction<Bound<T, A>, R> function() {
    Codec<RRef<T>> reference = RRefs.codec(object);
    Codec<Bound<T, A>> bound =
        Codecs.of(
            "method(" + reference.type() + "," + argument.type() + ")",
            (value, out) -> {
              reference.write(value.object, out);
              argument.write(value.argument, out);
            },
            in -> new Bound<>(reference.read(in), argument.read(in)));
    return new RpcFunction<>(name, bound, result);
  }
}
