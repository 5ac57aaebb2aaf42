package io.jgloo;

import io.jgloo.collectives.DataType;
import java.nio.Buffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Refuses what cannot work, in words that name the argument and its value. */
final class Arguments {

  private Arguments() {}

  static <T> T present(String name, @Nullable T value) {
    if (value == null) {
      throw missing(name);
    }
    return value;
  }

  /** What a call without that argument throws. */
  static IllegalArgumentException missing(String name) {
    return new IllegalArgumentException(name + " must not be null");
  }

  static void range(String name, int available, int offset, int length) {
    if (offset < 0 || length < 0 || offset > available - length) {
      throw new IllegalArgumentException(
          ("offset " + offset + " and length " + length)
              + (" must lie within the " + name + " of " + available + " elements"));
    }
  }

  static void usable(@Nullable Buffer buffer, @Nullable ByteOrder order) {
    if (present("buffer", buffer).isReadOnly()) {
      throw new IllegalArgumentException("buffer must not be read-only: " + buffer);
    }
    if (order != ByteOrder.nativeOrder()) {
      throw new IllegalArgumentException(
          ("buffer must be in native byte order, but is " + order + ": call ")
              + ".order(ByteOrder.nativeOrder()) before making views of it or using it");
    }
  }

  static int rank(String name, int rank, int size) {
    if (rank < 0 || rank >= size) {
      throw new IllegalArgumentException(
          name + " must be 0 to " + (size - 1) + " in a group of " + size + ", but is " + rank);
    }
    return rank;
  }

  static Duration timeout(Duration timeout) {
    if (present("timeout", timeout).isNegative()) {
      throw new IllegalArgumentException("timeout must not be negative, but is " + timeout);
    }
    return timeout;
  }

  static String name(DataType type) {
    return type.name().toLowerCase(Locale.ROOT);
  }
}
