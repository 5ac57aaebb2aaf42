package io.jgloo.ps.server;

import io.jgloo.ps.handle.StatefulHandle;
import io.jgloo.ps.store.ValueStore;
import io.jgloo.transport.memory.Memory;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Reads the values of a range of keys as they are between two requests, with the pushes that they
 * have applied, in chunks while requests go on.
 *
 * <pre>
 *   header   u64 magic "JGPS0005", UTF run of the system, i32 application, i32 rank and i32 number
 *            of the servers, UTF slicer, UTF handle, i32 type of the values, i32
 *            vectors of a key, of which the first are the values, i32 bytes behind them, i32 shards
 *   records  u8 KEY, i64 key, i32 length, the values, little-endian
 *            u8 STATE, i32 shard, i32 length, what the handle keeps besides its store
 *            u8 APPLIED, i32 shard, i32 length, what {@link AppliedPushes#save} writes
 *            u8 PENDING, i32 shard, i32 length, a push that is not answered, as for a replica
 *            u8 END                                 big-endian but for values and pushes
 * </pre>
 *
 * <p><i>Threads</i>: one at a time; the shards read. <i>Owns</i>: what it has begun in the shards.
 */
public final class StateReader implements AutoCloseable {

  static final int END = 0;
  static final int KEY = 1;
  static final int STATE = 2;
  static final int APPLIED = 3;
  static final int PENDING = 4;

  /** Bytes of a chunk, about. */
  private static final int CHUNK = 1 << 20;

  /** Places of a store that are read at once. */
  private static final int PLACES = 1 << 12;

  private static final long MAGIC = 0x4a47505330303035L;

  /** Says whose values these are. */
  public record Header(
      String run,
      int app,
      int rank,
      int servers,
      String slicer,
      String handle,
      int type,
      int vectors,
      int tailBytes,
      int shards) {

    byte[] write() {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (DataOutputStream out = new DataOutputStream(bytes)) {
        out.writeLong(MAGIC);
        out.writeUTF(run);
        out.writeInt(app);
        out.writeInt(rank);
        out.writeInt(servers);
        out.writeUTF(slicer);
        out.writeUTF(handle);
        out.writeInt(type);
        out.writeInt(vectors);
        out.writeInt(tailBytes);
        out.writeInt(shards);
      } catch (IOException e) {
        throw new UncheckedIOException(e); // memory does not fail
      }
      return bytes.toByteArray();
    }

    /**
     * Reads a header.
     *
     * @throws IOException if there is none
     */
    public static Header read(DataInputStream in, String name) throws IOException {
      long magic = in.readLong();
      if (magic != MAGIC) {
        throw new IOException(
            String.format("%s is no snapshot of this version: it begins with %016x", name, magic));
      }
      return new Header(
          in.readUTF(),
          in.readInt(),
          in.readInt(),
          in.readInt(),
          in.readUTF(),
          in.readUTF(),
          in.readInt(),
          in.readInt(),
          in.readInt(),
          in.readInt());
    }
  }

  /** Is given a key with its values. */
  @FunctionalInterface
  public interface KeyReader {
    void read(long key, byte[] values) throws IOException;
  }

  /** Is given what a shard has besides its keys. */
  @FunctionalInterface
  public interface RecordReader {
    void read(int kind, int shard, byte[] content) throws IOException;
  }

  /** Reads what follows a header: the keys of each shard follow each other. */
  public static void read(DataInputStream in, KeyReader keys, RecordReader others)
      throws IOException {
    for (int kind = in.readByte(); kind != END; kind = in.readByte()) {
      if (kind < END || kind > PENDING) {
        throw new IOException("a snapshot has a record of unknown kind " + kind);
      }
      if (kind == KEY) {
        keys.read(in.readLong(), in.readNBytes(in.readInt()));
      } else {
        others.read(kind, in.readInt(), in.readNBytes(in.readInt()));
      }
    }
  }

  /** What is read of a shard; used by the shard. */
  private final class Part {
    final int number;
    final Shard<?> shard;
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    final DataOutputStream out = new DataOutputStream(bytes);
    ValueStore.Pass pass;
    Throwable failure;

    Part(int number, Shard<?> shard) {
      this.number = number;
      this.shard = shard;
    }

    void begin() {
      try {
        StatefulHandle<?> handle = (StatefulHandle<?>) shard.handle();
        pass = handle.store().pass(this::value);
        ByteArrayOutputStream state = new ByteArrayOutputStream();
        handle.saveState(new DataOutputStream(state));
        record(STATE, state.toByteArray());
        ByteArrayOutputStream applied = new ByteArrayOutputStream();
        shard.applied().save(new DataOutputStream(applied));
        record(APPLIED, applied.toByteArray());
        for (byte[] push : shard.applied().pending()) {
          record(PENDING, push);
        }
      } catch (IOException | RuntimeException | Error e) {
        failure = e;
      }
    }

    private void record(int kind, byte[] content) throws IOException {
      out.writeByte(kind);
      out.writeInt(number);
      out.writeInt(content.length);
      out.write(content);
    }

    private void value(long key, long address, int length) {
      byte[] value = new byte[length];
      Memory.copy(address, value, 0, length);
      try {
        out.writeByte(KEY);
        out.writeLong(key);
        out.writeInt(length);
        out.write(value);
      } catch (IOException e) {
        throw new UncheckedIOException(e); // memory does not fail
      }
    }

    void chunk(CompletableFuture<byte[]> chunk) {
      try {
        boolean hasMore = failure == null;
        while (hasMore && bytes.size() < CHUNK) {
          hasMore = pass.advance(PLACES);
        }
        if (failure != null) {
          chunk.completeExceptionally(failure);
          return;
        }
        byte[] read = bytes.toByteArray();
        bytes.reset();
        if (!hasMore) {
          current.incrementAndGet();
        }
        chunk.complete(read);
      } catch (RuntimeException | Error e) {
        chunk.completeExceptionally(e);
      }
    }
  }

  private final List<Part> parts = new ArrayList<>();
  private byte[] header;
  private final AtomicInteger current = new AtomicInteger();

  /** Begins, under the lock of the server. */
  StateReader(Header header, List<? extends Shard<?>> shards) {
    this.header = header.write();
    for (Shard<?> shard : shards) {
      Part part = new Part(parts.size(), shard);
      parts.add(part);
      shard.run(part::begin, cause -> part.failure = cause);
    }
  }

  /** Number of shards, and of those that are read. */
  int shards() {
    return parts.size();
  }

  int shardsRead() {
    return current.get();
  }

  /** Reads the next chunk: whole records; null after the last one. */
  CompletableFuture<byte[]> next() {
    CompletableFuture<byte[]> chunk = new CompletableFuture<>();
    if (header != null) {
      chunk.complete(header);
      header = null;
    } else if (current.get() < parts.size()) {
      Part part = parts.get(current.get());
      part.shard.run(() -> part.chunk(chunk), chunk::completeExceptionally);
    } else if (current.get() == parts.size()) {
      current.incrementAndGet();
      chunk.complete(new byte[] {END});
    } else {
      chunk.complete(null);
    }
    return chunk;
  }

  @Override
  public void close() {
    for (Part part : parts) {
      part.shard.run(
          () -> {
            if (part.pass != null) {
              part.pass.close();
            }
          },
          (RejectedExecutionException closed) -> {});
    }
  }
}
