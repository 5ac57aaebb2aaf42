package io.jgloo.ps.kv;

import org.jspecify.annotations.Nullable;

/**
 * The filters that a customer of a worker asks its servers for. A server that does not accept one
 * gets requests without it.
 *
 * @param keyCache whether lists of keys are sent once ({@link KvFilter#KEY_CACHE})
 * @param pushed how pushed values are written; null for exact ones
 * @param pulled how pulled values are written; null for exact ones
 */
public record KvFilters(boolean keyCache, @Nullable KvFilter pushed, @Nullable KvFilter pulled) {

  /** No filter. */
  public static final KvFilters NONE = new KvFilters(false, null, null);

  /**
   * @throws IllegalArgumentException if pushed or pulled is no way to write values
   */
  public KvFilters {
    requireEncoding("pushed", pushed);
    requireEncoding("pulled", pulled);
  }

  private static void requireEncoding(String name, @Nullable KvFilter filter) {
    if (filter != null && !filter.isEncoding()) {
      throw new IllegalArgumentException(name + " must be FLOAT16, BFLOAT16 or INT8, is " + filter);
    }
  }

  /** These with lists of keys sent once. */
  public KvFilters withKeyCache() {
    return new KvFilters(true, pushed, pulled);
  }

  /** These with another way to write pushed values. */
  public KvFilters withPushed(KvFilter encoding) {
    return new KvFilters(keyCache, encoding, pulled);
  }

  /** These with another way to write pulled values. */
  public KvFilters withPulled(KvFilter encoding) {
    return new KvFilters(keyCache, pushed, encoding);
  }
}
