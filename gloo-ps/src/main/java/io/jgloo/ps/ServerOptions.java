package io.jgloo.ps;

import io.jgloo.ps.kv.KvFilter;
import io.jgloo.ps.kv.Slicer;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link KvServer}.
 *
 * @param shards ranges into which the server's keys are divided, each with a handle and a thread of
 *     its own; 0 for one that the thread which receives the request executes, whose handle must be
 *     short and must not block
 * @param firstKey first key of the server's range; keys below it are in the first shard
 * @param lastKey last key of the server's range; keys above it are in the last shard. Both 0: the
 *     slice of {@link Slicer#RANGE}
 * @param snapshot the file that a server of a rank reads when it starts, if it is there; null for
 *     none. If the files there are were made by another number of servers, or with another slicer,
 *     it reads its keys from the files of all ranks
 * @param filters what workers may use; all by default
 * @param keyCacheBytes bytes of lists of keys that are kept for {@link KvFilter#KEY_CACHE}
 * @param slicer that of the workers: says which keys of a snapshot are this server's, and refuses
 *     others
 */
public record ServerOptions(
    int shards,
    long firstKey,
    long lastKey,
    @Nullable IntFunction<Path> snapshot,
    Set<KvFilter> filters,
    long keyCacheBytes,
    Slicer slicer) {

  /** One shard. */
  public static final ServerOptions DEFAULTS =
      new ServerOptions(1, 0, 0, null, EnumSet.allOf(KvFilter.class), 64 << 20, Slicer.RANGE);

  private static final int MOST = 256;

  /**
   * @throws IllegalArgumentException if shards is not 0 to 256, the range is empty, or
   *     keyCacheBytes is negative
   */
  public ServerOptions {
    if (shards < 0 || shards > MOST) {
      throw new IllegalArgumentException("shards must be 0 to " + MOST + ", is " + shards);
    }
    if (Long.compareUnsigned(firstKey, lastKey) > 0) {
      throw new IllegalArgumentException(
          "firstKey "
              + Long.toUnsignedString(firstKey)
              + " is greater than lastKey "
              + Long.toUnsignedString(lastKey));
    }
    if (keyCacheBytes < 0) {
      throw new IllegalArgumentException("keyCacheBytes must not be negative, is " + keyCacheBytes);
    }
    filters = Set.copyOf(filters);
    Objects.requireNonNull(slicer, "slicer");
  }

  /** These options with another number of shards. */
  public ServerOptions withShards(int count) {
    return new ServerOptions(count, firstKey, lastKey, snapshot, filters, keyCacheBytes, slicer);
  }

  /** These options with another range of keys that the shards divide. */
  public ServerOptions withRange(long first, long last) {
    return new ServerOptions(shards, first, last, snapshot, filters, keyCacheBytes, slicer);
  }

  /** These options with the file of each rank to start from. */
  public ServerOptions withSnapshot(IntFunction<Path> file) {
    return new ServerOptions(shards, firstKey, lastKey, file, filters, keyCacheBytes, slicer);
  }

  /** These options with other filters that workers may use. */
  public ServerOptions withFilters(Set<KvFilter> accepted) {
    return new ServerOptions(shards, firstKey, lastKey, snapshot, accepted, keyCacheBytes, slicer);
  }

  /** These options with another number of bytes of keys that are kept. */
  public ServerOptions withKeyCacheBytes(long bytes) {
    return new ServerOptions(shards, firstKey, lastKey, snapshot, filters, bytes, slicer);
  }

  /** These options with the slicer of the workers. */
  public ServerOptions withSlicer(Slicer same) {
    return new ServerOptions(shards, firstKey, lastKey, snapshot, filters, keyCacheBytes, same);
  }

  /** The first key of each shard of a server. */
  long[] firstKeys(int owner, int servers) {
    boolean isSlice = firstKey == 0 && lastKey == 0;
    long first = isSlice ? Slicer.firstKey(owner, servers) : firstKey;
    long last = lastKey;
    if (isSlice) {
      last = owner == servers - 1 ? -1L : Slicer.firstKey(owner + 1, servers) - 1;
    }
    long[] bounds = new long[Math.max(1, shards)];
    for (int i = 0; i < bounds.length; i++) {
      bounds[i] = first + i * Long.divideUnsigned(last - first, bounds.length);
    }
    return bounds;
  }
}
