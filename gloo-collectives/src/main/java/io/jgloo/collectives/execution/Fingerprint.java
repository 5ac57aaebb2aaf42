package io.jgloo.collectives.execution;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.Algorithms;
import io.jgloo.transport.MismatchException;
import io.jgloo.transport.MismatchException.Side;
import io.jgloo.transport.Slot;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The part of a call on which all ranks must agree, packed into the two words that travel with each
 * message.
 *
 * <pre>
 *   high   63..56 call + 1     55..51 type + 1   50..46 op + 1   45..38 algorithm
 *          37..32 log2 of the segment bound, rounded up   31..20 detail of the op   19..0 root
 *   low    63..48 calls before, summed up        47..0 count of elements
 * </pre>
 *
 * The detail is a hash of an operation's name, factor and width, of the counts of blocks, where
 * they differ, and of the name of a provider's algorithm: 12 bits, so one pair of functions in 4096
 * is distinguished only by the sum of calls before, in the next message. What an alltoallv sends is
 * known to two ranks only and not in it. Whether a rank works in place is its own affair and not in
 * it.
 */
final class Fingerprint {

  private static final int POINT_TO_POINT = 0xff;

  /** Bits of the sum of calls; one disagreement in 65536 goes unnoticed by one message. */
  private static final int PAST_BITS = 16;

  /** Bits of the second word that hold the count; the others hold the sum of calls before. */
  static final int COUNT_BITS = Long.SIZE - PAST_BITS;

  static final long COUNT_MASK = (1L << COUNT_BITS) - 1;
  private static final List<Collective> COLLECTIVES = List.of(Collective.values());
  private static final List<DataType> TYPES = List.of(DataType.values());
  private static final List<ReduceOp> OPS = ReduceOp.builtIn();
  private static final int FACTOR = 30;
  private static final int FUNCTION = 31;
  private static final int DETAIL_BITS = 12;

  /** From here on the code of an algorithm is made of its name. */
  private static final int PROVIDED = 0x80;

  private Fingerprint() {}

  /**
   * The word that says what is called and how.
   *
   * @param counts of all ranks' blocks, where they are a list that all ranks agree on, or null
   */
  static long high(Shape shape, DataType type, ReduceOp op, long[] counts, Algorithm algorithm) {
    long segment = 64L - Long.numberOfLeadingZeros(shape.segmentBytes() - 1);
    return code(COLLECTIVES, shape.collective()) << 56
        | code(TYPES, type) << 51
        | code(op) << 46
        | code(algorithm) << 38
        | segment << 32
        | (detail(op) ^ detail(counts) ^ detail(algorithm)) << 20
        | shape.root();
  }

  private static long code(ReduceOp op) {
    if (op != null && op.factor().isPresent()) {
      return FACTOR;
    }
    return op != null && op.function() != null ? FUNCTION : code(OPS, op);
  }

  /** Its place among JGloo's own; of a provider's, some bits of its name. */
  private static long code(Algorithm algorithm) {
    long place = code(Algorithms.of(algorithm.collective()), algorithm);
    return place > 0 ? place : PROVIDED | (nameHash(algorithm) & (PROVIDED - 1));
  }

  private static long detail(Algorithm algorithm) {
    boolean provided = code(algorithm) >= PROVIDED;
    return provided ? nameHash(algorithm) >>> (Long.SIZE - DETAIL_BITS) : 0;
  }

  private static long nameHash(Algorithm algorithm) {
    return Driver.mix(algorithm.name().hashCode());
  }

  private static long detail(long[] counts) {
    long hash = counts == null ? 0 : Driver.mix(Arrays.hashCode(counts));
    return hash >>> (Long.SIZE - DETAIL_BITS);
  }

  private static long detail(ReduceOp op) {
    if (code(op) < FACTOR) {
      return 0;
    }
    long traits = op.width() * 2L + (op.commutative() ? 1 : 0);
    long hash = Driver.mix(Driver.mix(traits) ^ op.name().hashCode());
    return hash >>> (Long.SIZE - DETAIL_BITS);
  }

  /** A place in a list that all ranks have, from 1; 0 for none. */
  private static <T> long code(List<T> all, T one) {
    return one == null ? 0 : all.indexOf(one) + 1L;
  }

  /** The word that travels with messages of the application's own, which agree on the type only. */
  static long pointToPoint(DataType type) {
    return (long) POINT_TO_POINT << 56 | code(TYPES, type) << 51;
  }

  /** The same failure, with both calls in its message. */
  static MismatchException explain(MismatchException raw) {
    if (raw.first() == null || raw.second() == null) {
      return raw;
    }
    String message =
        words(raw.second()) + ", " + words(raw.first()) + past(raw) + " (" + raw.getMessage() + ")";
    return new MismatchException(message, raw.first(), raw.second());
  }

  private static String past(MismatchException raw) {
    long first = raw.first().fingerprintLow();
    long second = raw.second().fingerprintLow();
    boolean sameCall =
        raw.first().fingerprintHigh() == raw.second().fingerprintHigh()
            && (first & COUNT_MASK) == (second & COUNT_MASK);
    return sameCall && first != second ? "; they disagree about an earlier call" : "";
  }

  private static String words(Side side) {
    return "rank "
        + side.rank()
        + (code(side) == POINT_TO_POINT ? " sent or expected " : " called ")
        + call(side)
        + " in slot "
        + Slot.toString(side.slot())
        + ", message of "
        + side.length()
        + " bytes";
  }

  private static String call(Side side) {
    long high = side.fingerprintHigh();
    int code = code(side);
    String type = type((int) (high >>> 51) & 0x1f);
    if (code == POINT_TO_POINT) {
      return "a message of " + type;
    }
    if (code == 0 || code > COLLECTIVES.size()) {
      return String.format(
          Locale.ROOT, "something unknown (%016x %016x)", high, side.fingerprintLow());
    }
    Collective collective = COLLECTIVES.get(code - 1);
    StringBuilder text = new StringBuilder(collective.label());
    text.append('(').append(algorithm(collective, (int) (high >>> 38) & 0xff)).append(')');
    if (collective != Collective.BARRIER) {
      text.append(" of ").append(side.fingerprintLow() & COUNT_MASK).append(' ').append(type);
    }
    text.append(op(high));
    if (collective.uneven() && collective != Collective.ALLTOALLV) {
      text.append(String.format(Locale.ROOT, " in blocks #%03x", detail(high)));
    }
    if (collective.rooted()) {
      text.append(" with root ").append(high & 0xfffff);
    }
    return text.toString();
  }

  private static long detail(long high) {
    return high >>> 20 & ((1 << DETAIL_BITS) - 1);
  }

  private static String op(long high) {
    int code = (int) (high >>> 46) & 0x1f;
    String detail = String.format(Locale.ROOT, "#%03x", detail(high));
    return switch (code) {
      case 0 -> "";
      case FACTOR -> " sum premultiplied by factor " + detail;
      case FUNCTION -> " combined by function " + detail;
      default -> code <= OPS.size() ? " " + OPS.get(code - 1).name() : " unknown op " + code;
    };
  }

  private static int code(Side side) {
    return (int) (side.fingerprintHigh() >>> 56);
  }

  private static String type(int code) {
    return code == 0 || code > TYPES.size()
        ? "unknown type " + code
        : TYPES.get(code - 1).name().toLowerCase(Locale.ROOT);
  }

  private static String algorithm(Collective collective, int code) {
    List<Algorithm> all = Algorithms.of(collective);
    if (code >= PROVIDED) {
      return String.format(Locale.ROOT, "algorithm of a provider #%02x", code - PROVIDED);
    }
    return code == 0 || code > all.size() ? "algorithm " + code : all.get(code - 1).name();
  }
}
