package io.jgloo.transport.tcp;

import io.jgloo.transport.Reduction;
import io.jgloo.transport.memory.Memory;

/** Sums of 64-bit integers, in elements of any number of them. */
record Sums(int granule) implements Reduction {

  @Override
  public void reduce(long target, long source, long bytes) {
    for (long at = 0; at < bytes; at += Long.BYTES) {
      Memory.putLong(target + at, Memory.getLong(target + at) + Memory.getLong(source + at));
    }
  }
}
