package io.jgloo.ps.kv;

/**
 * Values that were pulled.
 *
 * @param values of all keys, in the order of the keys
 * @param lens number of values of each key
 * @param <A> type of arrays of values
 */
@SuppressWarnings("ArrayRecordComponent") // as the values, which are an array too
public record KvResult<A>(A values, int[] lens) {}
