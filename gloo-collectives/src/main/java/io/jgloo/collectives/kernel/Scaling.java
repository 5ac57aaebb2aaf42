package io.jgloo.collectives.kernel;

/**
 * Arithmetic on each element of one range, before a reduction or after it.
 *
 * <p><em>Threads</em>: any number at a time, on ranges of their own.
 */
@FunctionalInterface
public interface Scaling {

  /** Replaces each element; {@code bytes} is a whole number of elements. */
  void apply(long address, long bytes);
}
