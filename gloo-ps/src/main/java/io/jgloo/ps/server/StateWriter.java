package io.jgloo.ps.server;

import io.jgloo.ps.handle.StatefulHandle;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.store.ValueStore;
import io.jgloo.transport.memory.Memory;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32;
import java.util.zip.CheckedOutputStream;

/**
 * Writes the values of a range of keys, and the pushes that they have applied.
 *
 * <pre>
 *   u64  magic "JGPS0002"
 *   i32  type of the values
 *        applied pushes: run of the system, i32 number, each i32 rank, i64 incarnation, i32
 *        customer, i32 timestamp, i64 first key
 *   for each key: u8 1, i64 key, i32 length, the bytes
 *   u8 0, i64 CRC-32 of all before                                        all big-endian
 * </pre>
 *
 * <p><i>Threads</i>: those of the shards, one after another.
 */
final class StateWriter {

  /** Receives the values of a key. */
  public interface Loader {
    void load(long key, byte[] value);
  }

  private static final long MAGIC = 0x4a47505330303032L;

  private final CheckedOutputStream checked;
  private final DataOutputStream out;
  private final List<CompletableFuture<Void>> parts = new ArrayList<>();

  StateWriter(OutputStream target, ValueType<?> type) throws IOException {
    checked = new CheckedOutputStream(target, new CRC32());
    out = new DataOutputStream(checked);
    out.writeLong(MAGIC);
    out.writeInt(type.code());
  }

  void add(AppliedPushes applied) throws IOException {
    applied.save(out);
  }

  /** Adds the values of a shard, when its turn comes. */
  void add(Shard<?> shard) {
    CompletableFuture<Void> part = new CompletableFuture<>();
    parts.add(part);
    ValueStore store = ((StatefulHandle<?>) shard.handle()).store();
    shard.run(
        () -> {
          try {
            synchronized (out) {
              store.forEach(this::write);
            }
            part.complete(null);
          } catch (RuntimeException | Error e) {
            part.completeExceptionally(e);
          }
        },
        part::completeExceptionally);
  }

  private void write(long key, long address, int bytes) {
    byte[] value = new byte[bytes];
    Memory.copy(address, value, 0, bytes);
    try {
      out.writeByte(1);
      out.writeLong(key);
      out.writeInt(bytes);
      out.write(value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Completes when all shards have written their values. */
  CompletableFuture<Void> written() {
    return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new));
  }

  /** Number of shards that have not written their values. */
  long left() {
    return parts.stream().filter(part -> !part.isDone()).count();
  }

  int shards() {
    return parts.size();
  }

  /**
   * Writes the end.
   *
   * @throws UncheckedIOException if it cannot be written
   */
  void finish() {
    synchronized (out) {
      try {
        out.writeByte(0);
        out.writeLong(checked.getChecksum().getValue());
        out.flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /**
   * Reads what was written, but for the checksum.
   *
   * @throws IOException if it has values of another type
   */
  static void read(
      DataInputStream in, String name, ValueType<?> type, AppliedPushes applied, Loader loader)
      throws IOException {
    long magic = in.readLong();
    int code = in.readInt();
    if (magic != MAGIC || code != type.code()) {
      throw new IOException(
          String.format("%s is no snapshot of %s: %016x, type %d", name, type, magic, code));
    }
    applied.load(in);
    while (in.readByte() == 1) {
      long key = in.readLong();
      byte[] value = new byte[in.readInt()];
      in.readFully(value);
      loader.load(key, value);
    }
  }
}
