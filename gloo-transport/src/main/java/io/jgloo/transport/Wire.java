package io.jgloo.transport;

/**
 * The wire protocol between the ranks of a mesh: JGloo's own frames, or those of C++ Gloo.
 *
 * <p>All ranks of a mesh must use the same; a difference cannot be detected on the wire.
 */
public enum Wire {
  /** Between JGloo ranks: fingerprints, abort notices, goodbyes, eager messages. */
  JGLOO("jgloo"),

  /** Gloo since May 2023, and PyTorch since 2.1: one listener per device. */
  GLOO("gloo"),

  /** Gloo before that, as Debian 12 has it, and PyTorch up to 2.0: one listener per pair. */
  GLOO_CLASSIC("gloo-classic");

  private final String text;

  Wire(String text) {
    this.text = text;
  }

  /**
   * The wire of this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Wire parse(String text) {
    for (Wire wire : values()) {
      if (wire.text.equals(text)) {
        return wire;
      }
    }
    throw new IllegalArgumentException(
        "there is no such wire; there are jgloo, gloo, gloo-classic");
  }

  /** Whether it is one of Gloo's, so that ranks in C++ can be in the mesh. */
  public boolean isGloo() {
    return this != JGLOO;
  }

  @Override
  public String toString() {
    return text;
  }
}
