package io.jgloo.ps;

import io.jgloo.ps.kv.Slicer;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link KvServer} executes requests.
 *
 * @param shards equal parts of the server's slice of {@link Slicer#RANGE}, each with a handle and a
 *     thread of its own; 0 for one that the thread which receives the request executes, whose
 *     handle must be short and must not block
 * @param snapshot the file that a server of a rank reads when it starts, if it is there; null for
 *     none. If the files there are were made by another number of servers, or with another slicer,
 *     it reads its keys from the files of all ranks
 * @param slicer that of the workers: says which keys of a snapshot are this server's, and refuses
 *     others
 */
public record ServerOptions(int shards, @Nullable IntFunction<Path> snapshot, Slicer slicer) {

  /** One shard. */
  public static final ServerOptions DEFAULTS = new ServerOptions(1, null, Slicer.RANGE);

  private static final int MOST = 256;

  /**
   * @throws IllegalArgumentException if shards is not 0 to 256
   */
  public ServerOptions {
    if (shards < 0 || shards > MOST) {
      throw new IllegalArgumentException("shards must be 0 to " + MOST + ", is " + shards);
    }
    Objects.requireNonNull(slicer, "slicer");
  }

  /** These options with another number of shards. */
  public ServerOptions withShards(int count) {
    return new ServerOptions(count, snapshot, slicer);
  }

  /** These options with the file of each rank to start from. */
  public ServerOptions withSnapshot(IntFunction<Path> file) {
    return new ServerOptions(shards, file, slicer);
  }

  /** These options with the slicer of the workers. */
  public ServerOptions withSlicer(Slicer same) {
    return new ServerOptions(shards, snapshot, same);
  }

  /** The first key of each shard of a server. */
  long[] firstKeys(int owner, int servers) {
    Slicer.Range slice = Slicer.ranges(servers).get(owner);
    long[] bounds = new long[Math.max(1, shards)];
    for (int i = 0; i < bounds.length; i++) {
      bounds[i] =
          slice.first() + i * Long.divideUnsigned(slice.last() - slice.first(), bounds.length);
    }
    return bounds;
  }
}
