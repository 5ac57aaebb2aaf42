package io.jgloo.collectives;

import io.jgloo.collectives.DataType.Family;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A function that combines two elements.
 *
 * <p>A class with constants and not an enum, so that an operation can carry a factor or a function
 * of the user's.
 *
 * <p>The rules, equal on every path the arithmetic may take (Java or native, any length, any CPU):
 *
 * <ul>
 *   <li>integers wrap on overflow; unsigned types compare and divide unsigned;
 *   <li>{@link #MIN} and {@link #MAX} on floats are IEEE 754-2019 minimum and maximum: -0 is below
 *       +0, and if either element is NaN the result is the canonical quiet NaN;
 *   <li>{@link #SUM} and {@link #PRODUCT} on floats give a NaN whenever IEEE 754 does; which NaN
 *       (sign and payload) is unspecified, every other result is exact to the bit;
 *   <li>float16 and bfloat16 are widened to float32, combined, and rounded to nearest, ties to
 *       even;
 *   <li>{@link #AVG} is {@link #SUM}, divided once, at the end, by the number of ranks: floats are
 *       rounded to nearest even once more, integers truncated towards zero, as in NCCL;
 *   <li>{@link #premulSum} multiplies each rank's contribution once, before the sum, and rounds the
 *       product to the element's type;
 *   <li>logical operations take 0 as false and anything else as true, and give 0 or 1;
 *   <li>a result of one contribution, as in a group of one rank or at the first rank of a scan, is
 *       what the operation gives: a NaN is canonical, a truth value is 0 or 1.
 * </ul>
 *
 * <p>Two operations are equal if all ranks may take one for the other: same constant, same factor,
 * or same function (object or address) with the same name. A call of an operation that was called
 * before prepares nothing, so hold on to operations rather than make one for each call.
 *
 * <p><em>Threads</em>: any; immutable.
 */
public final class ReduceOp {

  /**
   * A reduction of the user's own, on many elements at a time.
   *
   * <p>A call may cut its vectors anywhere between elements (between tuples, if the operation is on
   * tuples) and in another way every time, so the result for an element must depend on nothing but
   * the two elements.
   *
   * <p><em>Threads</em>: any, several at a time on buffers of their own; mostly whichever thread
   * waits for the call. It may abort or close its own group, which happens when it has returned;
   * any call of the group is refused with an {@link IllegalStateException}. <em>Fails</em>: what it
   * throws fails the group at all ranks, with this rank named.
   */
  @FunctionalInterface
  public interface Function {

    /**
     * Sets each element of {@code first} to {@code f(first, second)}.
     *
     * <p>Both are heap buffers in native byte order, of one and the same length from position 0 to
     * limit, a whole number of tuples; where the positions end up does not matter. They are lent
     * for the call only.
     */
    void reduce(ByteBuffer first, ByteBuffer second, DataType type);
  }

  /** A function of two floats, the one that java.util.function lacks. */
  @FunctionalInterface
  public interface FloatBinaryOperator {

    /** The result for two operands. */
    float applyAsFloat(float first, float second);
  }

  /** Most elements of a tuple: with the widest type, 32 KiB. */
  public static final int MAX_WIDTH = 4096;

  /** Longest element of a native function: what the transport never cuts. */
  private static final int MAX_NATIVE_BYTES = 64 << 10;

  private static final Set<Family> NUMBERS = Set.of(Family.INTEGER, Family.FLOAT);
  private static final Set<Family> FLOATS = Set.of(Family.FLOAT);
  private static final Set<Family> BITS = Set.of(Family.INTEGER, Family.BOOLEAN);

  /** Addition; numbers only. */
  public static final ReduceOp SUM = new ReduceOp("sum", typesOf(NUMBERS));

  /** Multiplication; numbers only. */
  public static final ReduceOp PRODUCT = new ReduceOp("product", typesOf(NUMBERS));

  /** The smaller; numbers only. */
  public static final ReduceOp MIN = new ReduceOp("min", typesOf(NUMBERS));

  /** The larger; numbers only. */
  public static final ReduceOp MAX = new ReduceOp("max", typesOf(NUMBERS));

  /** Bitwise and; integers. On bool the same as {@link #LAND}. */
  public static final ReduceOp BAND = new ReduceOp("band", typesOf(BITS));

  /** Bitwise or; integers. On bool the same as {@link #LOR}. */
  public static final ReduceOp BOR = new ReduceOp("bor", typesOf(BITS));

  /** Bitwise exclusive or; integers. On bool: exactly one of the two is true. */
  public static final ReduceOp BXOR = new ReduceOp("bxor", typesOf(BITS));

  /** Logical and; integers and bool. */
  public static final ReduceOp LAND = new ReduceOp("land", typesOf(BITS));

  /** Logical or; integers and bool. */
  public static final ReduceOp LOR = new ReduceOp("lor", typesOf(BITS));

  /** The sum divided by the number of ranks; numbers only, and not of scans. */
  public static final ReduceOp AVG =
      new ReduceOp("avg", typesOf(NUMBERS), SUM, OptionalDouble.empty(), null, 1, true);

  private static final List<ReduceOp> BUILT_IN =
      List.of(SUM, PRODUCT, MIN, MAX, BAND, BOR, BXOR, LAND, LOR, AVG);

  private static final String PREMUL_SUM = "premul-sum";

  private final String name;
  private final Set<DataType> types;
  private final ReduceOp combining;
  private final OptionalDouble factor;
  private final @Nullable Object function;
  private final int width;
  private final boolean commutative;

  private ReduceOp(String name, Set<DataType> types) {
    this(name, types, null, OptionalDouble.empty(), null, 1, true);
  }

  private ReduceOp(
      String name,
      Set<DataType> types,
      @Nullable ReduceOp combining,
      OptionalDouble factor,
      @Nullable Object function,
      int width,
      boolean commutative) {
    this.name = name;
    this.types = types;
    this.combining = combining == null ? this : combining;
    this.factor = factor;
    this.function = function;
    this.width = width;
    this.commutative = commutative;
  }

  private static Set<DataType> typesOf(Set<Family> families) {
    Set<DataType> types = EnumSet.allOf(DataType.class);
    types.removeIf(type -> !families.contains(type.family()));
    return types;
  }

  /**
   * The sum of every contribution times a factor; floats only, as in PyTorch.
   *
   * <p>The factor is rounded to float32 for the types up to that size, and the product to the type.
   */
  public static ReduceOp premulSum(double factor) {
    String name = PREMUL_SUM + "(" + factor + ")";
    return new ReduceOp(name, typesOf(FLOATS), SUM, OptionalDouble.of(factor), null, 1, true);
  }

  /**
   * A function of the user's own, for elements of any type.
   *
   * @param name for messages; all ranks must give the same
   * @param function must be associative
   * @param commutative whether operands may change places: then any algorithm may do it; if not,
   *     operands are combined in ascending order of rank, by the algorithms that can
   */
  public static ReduceOp of(String name, Function function, boolean commutative) {
    return ofTuples(name, 1, function, commutative);
  }

  /**
   * A function on tuples: some consecutive elements that belong together, such as value and index,
   * the parts of a complex number, or a small matrix. Every count, of each rank's part too, must be
   * a multiple of the width.
   *
   * @param width elements of a tuple, 1 to {@link #MAX_WIDTH}
   */
  public static ReduceOp ofTuples(String name, int width, Function function, boolean commutative) {
    if (width < 1 || width > MAX_WIDTH) {
      throw new IllegalArgumentException("width must be 1 to " + MAX_WIDTH + ", but is " + width);
    }
    return own(name, EnumSet.allOf(DataType.class), function, width, commutative);
  }

  /** A function on float32, and on float16 and bfloat16 by way of it; otherwise as {@link #of}. */
  public static ReduceOp ofFloats(String name, FloatBinaryOperator function, boolean commutative) {
    Set<DataType> types = EnumSet.of(DataType.FLOAT32, DataType.FLOAT16, DataType.BFLOAT16);
    return own(name, types, function, 1, commutative);
  }

  /** A function on float64; otherwise as {@link #of}. */
  public static ReduceOp ofDoubles(
      String name, DoubleBinaryOperator function, boolean commutative) {
    return own(name, EnumSet.of(DataType.FLOAT64), function, 1, commutative);
  }

  /** A function on int32; otherwise as {@link #of}. */
  public static ReduceOp ofInts(String name, IntBinaryOperator function, boolean commutative) {
    return own(name, EnumSet.of(DataType.INT32), function, 1, commutative);
  }

  /** A function on int64; otherwise as {@link #of}. */
  public static ReduceOp ofLongs(String name, LongBinaryOperator function, boolean commutative) {
    return own(name, EnumSet.of(DataType.INT64), function, 1, commutative);
  }

  /**
   * A native function, called by its address on the memory itself, without a copy, where {@code
   * libjgloo} is available. Its elements are opaque: payloads of them have type INT8 or UINT8, and
   * counts are multiples of {@code elementBytes}. The C type of the function is
   *
   * <pre>{@code
   * void function(const char *source, char *target, int32_t elementBytes, int32_t bytes);
   * }</pre>
   *
   * which sets {@code target = f(target, source)} for each element of two ranges of {@code bytes}
   * bytes that do not overlap and need not be aligned. It is called by several threads, must not
   * throw, must not call the group, and must be loaded as long as the group is open.
   *
   * @param name for messages; all ranks must give the same
   * @param function its address; must be associative and commutative
   * @param elementBytes 1 to 65536
   */
  public static ReduceOp ofNative(String name, long function, int elementBytes) {
    if (function == 0) {
      throw new IllegalArgumentException("function must be an address, but is 0");
    }
    if (elementBytes < 1 || elementBytes > MAX_NATIVE_BYTES) {
      throw new IllegalArgumentException(
          "elementBytes must be 1 to " + MAX_NATIVE_BYTES + ", but is " + elementBytes);
    }
    return own(name, EnumSet.of(DataType.INT8, DataType.UINT8), function, elementBytes, true);
  }

  private static ReduceOp own(
      String name, Set<DataType> types, Object function, int width, boolean commutative) {
    present("name", name);
    present("function", function);
    return new ReduceOp(name, types, null, OptionalDouble.empty(), function, width, commutative);
  }

  private static void present(String name, Object value) {
    if (value == null) {
      throw new IllegalArgumentException(name + " must not be null");
    }
  }

  /** The constants of this class. */
  public static List<ReduceOp> builtIn() {
    return BUILT_IN;
  }

  /**
   * The operation of that name, as given by {@link #name()}: a constant, or {@code
   * premul-sum(0.5)}.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static ReduceOp named(String name) {
    for (ReduceOp op : BUILT_IN) {
      if (op.name.equals(name)) {
        return op;
      }
    }
    if (name.startsWith(PREMUL_SUM + "(") && name.endsWith(")")) {
      try {
        return premulSum(
            Double.parseDouble(name.substring(PREMUL_SUM.length() + 1, name.length() - 1)));
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException("the factor of " + name + " is no number", e);
      }
    }
    throw new IllegalArgumentException(
        "reduce op " + name + " is none of " + BUILT_IN + " and not " + PREMUL_SUM + "(FACTOR)");
  }

  /** Lower-case word, as in {@code sum}; the given name of a function. */
  public String name() {
    return name;
  }

  /** Whether the operation has a meaning on elements of that type. */
  public boolean appliesTo(DataType type) {
    return types.contains(type);
  }

  /** Whether operands may change places. */
  public boolean commutative() {
    return commutative;
  }

  /** How many consecutive elements belong together, mostly 1. */
  public int width() {
    return width;
  }

  /** What each contribution is multiplied by first, if it is. */
  public OptionalDouble factor() {
    return factor;
  }

  /** Whether the result is divided by the number of ranks at the end. */
  public boolean averages() {
    return equals(AVG);
  }

  /** What combines two elements in between: {@link #SUM} for averages and factors, or itself. */
  public ReduceOp combining() {
    return combining;
  }

  /**
   * The user's function: a {@link Function}, an operator on the type's own, or the address of a
   * native one, a Long; null for all others.
   */
  public @Nullable Object function() {
    return function;
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof ReduceOp that
            && name.equals(that.name)
            && factor.equals(that.factor)
            && (function == that.function
                || (function instanceof Long address && address.equals(that.function)))
            && width == that.width
            && commutative == that.commutative);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, factor, width, commutative);
  }

  @Override
  public String toString() {
    return name;
  }
}
