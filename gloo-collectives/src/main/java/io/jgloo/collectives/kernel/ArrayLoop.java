package io.jgloo.collectives.kernel;

/** One way to combine two arrays, element by element; the form C2 vectorises. */
@FunctionalInterface
interface ArrayLoop<A> {

  /** Sets {@code target[i] = f(target[i], source[i])} for the first {@code count} elements. */
  void apply(A target, A source, int count);
}
