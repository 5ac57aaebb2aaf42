package io.jgloo.ps.handle;

/**
 * Gives the first values of a key: the same each time, so that replicas and a pull before the first
 * push agree.
 */
@FunctionalInterface
public interface Initializer {

  /** All values are 0. */
  Initializer ZERO = (key, index) -> 0;

  /**
   * @param index of the value among those of the key
   */
  double value(long key, int index);

  /** Numbers between two bounds, by a hash of seed, key and index. */
  static Initializer uniform(long seed, double low, double high) {
    return (key, index) -> low + (high - low) * random(seed, key, 2 * index);
  }

  /** Numbers of a normal distribution with mean 0, by a hash of seed, key and index. */
  static Initializer normal(long seed, double deviation) {
    return (key, index) -> {
      double radius = Math.sqrt(-2 * Math.log(1 - random(seed, key, 2 * index)));
      return deviation * radius * Math.cos(2 * Math.PI * random(seed, key, 2 * index + 1));
    };
  }

  /** 0 to less than 1. */
  private static double random(long seed, long key, int index) {
    long mixed = mix(mix(mix(seed) ^ key) + index);
    return (mixed >>> 11) * 0x1p-53;
  }

  private static long mix(long number) {
    long mixed = number + 0x9e3779b97f4a7c15L;
    mixed = (mixed ^ mixed >>> 30) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
    return mixed ^ mixed >>> 31;
  }
}
