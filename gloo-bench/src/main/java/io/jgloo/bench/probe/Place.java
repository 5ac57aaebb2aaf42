package io.jgloo.bench.probe;

import io.jgloo.rendezvous.Context;
import io.jgloo.rendezvous.ContextOptions;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.transport.Device;
import io.jgloo.transport.Mesh;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Where a probe's rank stands.
 *
 * @param arguments what the probe was asked, in words of its own
 * @param out takes the lines that rank 0 has to say
 */
record Place(
    int rank, int size, Store store, Device device, List<String> arguments, Consumer<String> out) {

  static final Duration PATIENCE = Duration.ofMinutes(2);

  long number(int argument) {
    return Long.parseLong(arguments.get(argument));
  }

  /** A full mesh of a group of that name; closing the mesh leaves it. */
  Mesh mesh(String group) {
    ContextOptions options = ContextOptions.DEFAULT.withGroup(group).withTimeout(PATIENCE);
    return new Context(rank, size, options).connectFullMesh(store, device);
  }

  /** Says something, once for all ranks. */
  void say(String format, Object... values) {
    if (rank == 0) {
      out.accept(String.format(Locale.ROOT, format, values));
    }
  }
}
