package io.jgloo.transport.sim;

/**
 * How much a simulated transport sends without being asked.
 *
 * @param eagerBytes longest message that is sent with its header; longer ones are announced
 * @param unexpectedBytes what a rank holds for one peer before receives are posted
 * @param pieceBytes longest piece of a long message
 */
record Limits(int eagerBytes, int unexpectedBytes, int pieceBytes) {

  /** Small, so that back-pressure and announcing are everyday events in a test. */
  static final Limits DEFAULT = new Limits(4 << 10, 64 << 10, 64 << 10);

  Limits {
    if (eagerBytes < 0 || unexpectedBytes < 0 || pieceBytes < 1) {
      throw new IllegalArgumentException(
          "limits must not be negative, but are %d, %d, %d bytes"
              .formatted(eagerBytes, unexpectedBytes, pieceBytes));
    }
  }

  /** What an eager message counts for while it waits. */
  long cost(long bytes) {
    return bytes + Frame.HEADER_BYTES;
  }
}
