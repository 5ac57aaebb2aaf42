package io.jgloo.gradient;

import io.jgloo.Payload;
import io.jgloo.collectives.DataType;
import org.jspecify.annotations.Nullable;

/** A gradient that is reduced in each step; its memory is null if it is another one each time. */
record Tensor(String name, DataType type, long count, @Nullable Payload memory) {

  long bytes() {
    return count * type.bytes();
  }

  @Override
  public String toString() {
    return name + " (" + count + " " + type + ")";
  }
}
