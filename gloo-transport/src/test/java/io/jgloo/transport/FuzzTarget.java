package io.jgloo.transport;

import java.util.List;

/**
 * A decoder of bytes that come from outside.
 *
 * @param name of the decoder, and of the folder with its corpus
 * @param refusal the exception by which it refuses bytes; any other is a defect
 * @param samples valid inputs, from which others are made
 * @param body decodes; may check what it decoded
 */
public record FuzzTarget(
    String name, Class<? extends Exception> refusal, List<byte[]> samples, Body body) {

  /** What a target does with its input. */
  public interface Body {
    void decode(byte[] input) throws Exception;
  }

  /** A target with one sample. */
  public static FuzzTarget of(
      String name, Class<? extends Exception> refusal, byte[] sample, Body body) {
    return new FuzzTarget(name, refusal, List.of(sample), body);
  }

  /**
   * Decodes the input.
   *
   * @return whether it was accepted
   * @throws Exception a defect: anything but the refusal
   */
  boolean accepts(byte[] input) throws Exception {
    try {
      body.decode(input);
      return true;
    } catch (Exception e) {
      if (!refusal.isInstance(e)) {
        throw e;
      }
      return false;
    }
  }
}
