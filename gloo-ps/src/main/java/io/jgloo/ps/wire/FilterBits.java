package io.jgloo.ps.wire;

import io.jgloo.ps.kv.KvFilter;
import io.jgloo.ps.kv.KvFilters;
import java.util.EnumSet;
import java.util.Set;

/** Sets of filters as they are in messages: one bit for each. */
public final class FilterBits {

  private FilterBits() {}

  /** The number of a filter: its bit, and as an encoding of values. */
  static int number(KvFilter filter) {
    return switch (filter) {
      case KEY_CACHE -> 0;
      case FLOAT16 -> 1;
      case BFLOAT16 -> 2;
      case INT8 -> 3;
      case TOP_K -> 4;
    };
  }

  public static int of(Set<KvFilter> filters) {
    return filters.stream().mapToInt(filter -> 1 << number(filter)).sum();
  }

  private static boolean has(int bits, KvFilter filter) {
    return (bits & 1 << number(filter)) != 0;
  }

  /** The filters that a server has to accept for all that a worker wants. */
  public static Set<KvFilter> wanted(KvFilters filters) {
    EnumSet<KvFilter> wanted = EnumSet.noneOf(KvFilter.class);
    if (filters.keyCache()) {
      wanted.add(KvFilter.KEY_CACHE);
    }
    if (filters.pushed() != null) {
      wanted.add(filters.pushed());
    }
    if (filters.pulled() != null) {
      wanted.add(filters.pulled());
    }
    if (filters.top() < 1) {
      wanted.add(KvFilter.TOP_K);
    }
    return wanted;
  }

  /** What a worker wants, without the filters that a server does not accept. */
  public static KvFilters accepted(KvFilters wanted, int bits) {
    KvFilter pushed = wanted.pushed();
    KvFilter pulled = wanted.pulled();
    return new KvFilters(
        wanted.keyCache() && has(bits, KvFilter.KEY_CACHE),
        pushed != null && has(bits, pushed) ? pushed : null,
        pulled != null && has(bits, pulled) ? pulled : null,
        has(bits, KvFilter.TOP_K) ? wanted.top() : 1);
  }
}
