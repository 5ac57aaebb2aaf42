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

  /** Whether it can also be applied to elements of this array. */
  default boolean appliesTo(Object array) {
    return false;
  }

  /**
   * Replaces elements of an array that it {@link #appliesTo}.
   *
   * @param offset of the first byte in the array
   */
  default void apply(Object array, long offset, long bytes) {
    throw new IllegalArgumentException("not applied to " + array.getClass().getSimpleName());
  }
}
