package io.jgloo.collectives.algorithm.pattern;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Shape;

/**
 * Messages that are never cut, and are messages even without bytes: those of Gloo where it does not
 * work in segments.
 */
public final class Whole {
  private static final long MOST_BYTES = Long.MAX_VALUE / 4;

  private Whole() {}

  /** An empty program of one rank in which no message is cut. */
  public static Program program(Algorithm algorithm, Shape shape, int rank) {
    return new Program(algorithm, uncut(shape), rank);
  }

  /** The shape without a bound for messages. */
  public static Shape uncut(Shape shape) {
    return shape.withSegmentBytes(MOST_BYTES / shape.elementBytes() * shape.elementBytes());
  }

  /** Sends a range as one message. */
  public static void send(Program program, int peer, Range range) {
    if (range.isEmpty()) {
      program.signal(peer);
    } else {
      program.send(peer, range);
    }
  }

  /** Receives a range as one message. */
  public static void recv(Program program, int peer, Range range) {
    if (range.isEmpty()) {
      program.await(peer);
    } else {
      program.recv(peer, range);
    }
  }
}
