package io.jgloo.transport;

/**
 * A slot names one stream of messages between two ranks: messages of one slot match receives of the
 * same slot in the order in which they were posted.
 *
 * <p>A slot is a {@code long}; this class only splits the number space: 8 bits of space (who uses
 * it) above 56 bits that the user of the space gives meaning to.
 */
public final class Slot {

  /** Space for point-to-point messages of the application; the number is its tag. */
  public static final int USER = 0;

  /** Space for collectives; the number is the call's sequence number. */
  public static final int COLLECTIVE = 1;

  /** Space for the messages by which ranks ask after each other; the number counts the asking. */
  public static final int ROLL_CALL = 2;

  /** Largest number within a space. */
  public static final long MAX_NUMBER = (1L << 56) - 1;

  private Slot() {}

  /**
   * The slot of a number in a space.
   *
   * @throws IllegalArgumentException if space is not 0 to 255 or number not 0 to 2^56 - 1
   */
  public static long of(int space, long number) {
    if ((space & ~0xff) != 0) {
      throw new IllegalArgumentException("space must be 0 to 255, but is " + space);
    }
    if (number < 0 || number > MAX_NUMBER) {
      throw new IllegalArgumentException(
          "number must be 0 to " + MAX_NUMBER + ", but is " + number);
    }
    return (long) space << 56 | number;
  }

  public static int space(long slot) {
    return (int) (slot >>> 56);
  }

  public static long number(long slot) {
    return slot & MAX_NUMBER;
  }

  /** For people: {@code space:number}. */
  public static String toString(long slot) {
    return space(slot) + ":" + number(slot);
  }
}
