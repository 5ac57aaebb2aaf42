package io.jgloo.transport.tcp;

/**
 * How a {@link Pipe} passes bytes on.
 *
 * @param leastBytes shortest piece taken at a time
 * @param mostBytes longest piece taken at a time
 * @param delayNanos how long each piece is under way
 * @param jitterNanos how much longer it may be, at random; pieces stay in order
 * @param bytesPerSecond how much goes through
 */
public record Shape(
    int leastBytes, int mostBytes, long delayNanos, long jitterNanos, long bytesPerSecond) {

  private static final int ALL = 64 << 10;

  /** As a wire does it. */
  public static final Shape PLAIN = new Shape(ALL, ALL, 0, 0, Long.MAX_VALUE);

  /** Cut into pieces of random sizes. */
  public static Shape pieces(int leastBytes, int mostBytes) {
    return new Shape(leastBytes, mostBytes, 0, 0, Long.MAX_VALUE);
  }

  public static Shape delayed(long millis, long jitterMillis) {
    return new Shape(1, ALL, millis * 1_000_000, jitterMillis * 1_000_000, Long.MAX_VALUE);
  }

  public static Shape throttled(long bytesPerSecond) {
    return new Shape(ALL / 4, ALL / 4, 0, 0, bytesPerSecond);
  }
}
