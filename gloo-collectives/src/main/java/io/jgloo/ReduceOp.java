package io.jgloo;

import io.jgloo.DataType.Family;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * How a reduction combines two elements.
 *
 * <p>A class with constants and not an enum, so that operations that carry a factor or a function
 * of the user's can join later.
 *
 * <p>The rules, equal on every path the arithmetic may take (Java or native, any length, any CPU):
 *
 * <ul>
 *   <li>integers wrap on overflow; unsigned types compare unsigned;
 *   <li>{@link #MIN} and {@link #MAX} on floats are IEEE 754-2019 minimum and maximum: -0 is below
 *       +0, and if either element is NaN the result is the canonical quiet NaN;
 *   <li>{@link #SUM} and {@link #PRODUCT} on floats give a NaN whenever IEEE 754 does; which NaN
 *       (sign and payload) is unspecified, every other result is exact to the bit;
 *   <li>float16 and bfloat16 are widened to float32, combined, and rounded to nearest, ties to
 *       even;
 *   <li>logical operations take 0 as false and anything else as true, and give 0 or 1.
 * </ul>
 */
public final class ReduceOp {

  private static final Set<Family> NUMBERS = EnumSet.of(Family.INTEGER, Family.FLOAT);
  private static final Set<Family> BITS = EnumSet.of(Family.INTEGER, Family.BOOLEAN);

  /** Addition; numbers only. */
  public static final ReduceOp SUM = new ReduceOp("sum", NUMBERS);

  /** Multiplication; numbers only. */
  public static final ReduceOp PRODUCT = new ReduceOp("product", NUMBERS);

  /** The smaller; numbers only. */
  public static final ReduceOp MIN = new ReduceOp("min", NUMBERS);

  /** The larger; numbers only. */
  public static final ReduceOp MAX = new ReduceOp("max", NUMBERS);

  /** Bitwise and; integers. On bool the same as {@link #LAND}. */
  public static final ReduceOp BAND = new ReduceOp("band", BITS);

  /** Bitwise or; integers. On bool the same as {@link #LOR}. */
  public static final ReduceOp BOR = new ReduceOp("bor", BITS);

  /** Bitwise exclusive or; integers. On bool: exactly one of the two is true. */
  public static final ReduceOp BXOR = new ReduceOp("bxor", BITS);

  /** Logical and; integers and bool. */
  public static final ReduceOp LAND = new ReduceOp("land", BITS);

  /** Logical or; integers and bool. */
  public static final ReduceOp LOR = new ReduceOp("lor", BITS);

  private static final List<ReduceOp> BUILT_IN =
      List.of(SUM, PRODUCT, MIN, MAX, BAND, BOR, BXOR, LAND, LOR);

  private final String name;
  private final Set<Family> families;

  private ReduceOp(String name, Set<Family> families) {
    this.name = name;
    this.families = families;
  }

  /** The constants of this class. */
  public static List<ReduceOp> builtIn() {
    return BUILT_IN;
  }

  /**
   * The constant of that name, as given by {@link #name()}.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static ReduceOp named(String name) {
    for (ReduceOp op : BUILT_IN) {
      if (op.name.equals(name)) {
        return op;
      }
    }
    throw new IllegalArgumentException("reduce op " + name + " is none of " + BUILT_IN);
  }

  /** Lower-case word, as in {@code sum}. */
  public String name() {
    return name;
  }

  /** Whether the operation has a meaning on elements of that type. */
  public boolean appliesTo(DataType type) {
    return families.contains(type.family());
  }

  @Override
  public String toString() {
    return name;
  }
}
