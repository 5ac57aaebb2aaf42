package io.jgloo.ps.wire;

import io.jgloo.ps.kv.KvFilter;
import io.jgloo.ps.kv.KvFilters;
import java.util.Set;

/** Sets of filters as they are in messages: one bit for each, in the order of the constants. */
public final class FilterBits {

  private FilterBits() {}

  public static int of(Set<KvFilter> filters) {
    return filters.stream().mapToInt(FilterBits::bit).sum();
  }

  /** The filters that a server has to accept for all that a worker wants. */
  public static int of(KvFilters wanted) {
    return (wanted.keyCache() ? bit(KvFilter.KEY_CACHE) : 0)
        | bit(wanted.pushed())
        | bit(wanted.pulled());
  }

  private static int bit(KvFilter filter) {
    return filter == null ? 0 : 1 << number(filter);
  }

  /** The number of a filter: its bit, and as an encoding of values. */
  static int number(KvFilter filter) {
    return switch (filter) {
      case KEY_CACHE -> 0;
      case FLOAT16 -> 1;
      case BFLOAT16 -> 2;
      case INT8 -> 3;
    };
  }

  /** What a worker wants, without the filters that a server does not accept. */
  public static KvFilters accepted(KvFilters wanted, int bits) {
    boolean isPushed = (bits & bit(wanted.pushed())) != 0;
    boolean isPulled = (bits & bit(wanted.pulled())) != 0;
    return new KvFilters(
        wanted.keyCache() && (bits & bit(KvFilter.KEY_CACHE)) != 0,
        isPushed ? wanted.pushed() : null,
        isPulled ? wanted.pulled() : null);
  }
}
