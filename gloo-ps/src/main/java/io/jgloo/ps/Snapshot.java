package io.jgloo.ps;

import io.jgloo.ps.store.ValueStore;
import io.jgloo.transport.InterruptedOperationException;
import io.jgloo.transport.memory.Memory;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/**
 * A file with the values of an application at a server.
 *
 * <pre>
 *   u64  magic "JGPS0001"
 *   i32  type of the values
 *        applied pushes: i32 number, each i32 rank, i64 incarnation, i32 customer, i32 timestamp,
 *        i64 first key
 *   for each key: u8 1, i64 key, i32 length, the bytes
 *   u8 0, i64 CRC-32 of all before                                        all big-endian
 * </pre>
 *
 * <p>It is written beside the file and replaces it when it is complete and on the disk. Closed
 * before, it leaves the file as it is.
 */
final class Snapshot implements AutoCloseable {

  /** Receives the values of a key. */
  interface Loader {
    void load(long key, byte[] value);
  }

  private static final long MAGIC = 0x4a47505330303032L;

  private final Path file;
  private final Path beside;
  private final FileOutputStream raw;
  private final CheckedOutputStream checked;
  private final DataOutputStream out;
  private final List<CompletableFuture<Void>> parts = new ArrayList<>();

  Snapshot(Path file, ValueType<?> type) throws IOException {
    this.file = file;
    beside = Path.of(file + ".new");
    raw = new FileOutputStream(beside.toFile());
    checked = new CheckedOutputStream(new BufferedOutputStream(raw, 1 << 16), new CRC32());
    out = new DataOutputStream(checked);
    try {
      out.writeLong(MAGIC);
      out.writeInt(type.code());
    } catch (IOException e) {
      close();
      throw e;
    }
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

  /**
   * Waits for all parts and replaces the file.
   *
   * @throws IOException if a part failed, or had not ended at the timeout
   */
  void finish(Duration timeout) throws IOException {
    try {
      CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
          .get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      long left = parts.stream().filter(part -> !part.isDone()).count();
      throw new IOException(
          ("snapshot " + file + ": " + left + " of " + parts.size() + " shards have not written")
              + (" their values within " + timeout.toMillis() / 1e3 + " s"),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("interrupted while writing snapshot " + file, e);
    } catch (ExecutionException e) {
      throw new IOException("snapshot " + file + " failed: " + e.getCause(), e.getCause());
    }
    out.writeByte(0);
    out.writeLong(checked.getChecksum().getValue());
    out.flush();
    raw.getChannel().force(true);
    raw.close();
    Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Gives up what has not replaced the file; a shard that writes later fails. */
  @Override
  public void close() throws IOException {
    raw.close();
    Files.deleteIfExists(beside);
  }

  /**
   * Reads a file.
   *
   * @throws UncheckedIOException if it cannot be read, is damaged, or has values of another type
   */
  static void read(Path file, ValueType<?> type, AppliedPushes applied, Loader loader) {
    try {
      verify(file);
      try (DataInputStream in = new DataInputStream(open(file))) {
        long magic = in.readLong();
        int code = in.readInt();
        if (magic != MAGIC || code != type.code()) {
          throw new IOException(
              String.format("%s is no snapshot of %s: %016x, type %d", file, type, magic, code));
        }
        applied.load(in);
        while (in.readByte() == 1) {
          long key = in.readLong();
          byte[] value = new byte[in.readInt()];
          in.readFully(value);
          loader.load(key, value);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void verify(Path file) throws IOException {
    long left = Files.size(file) - Long.BYTES;
    try (CheckedInputStream checked = new CheckedInputStream(open(file), new CRC32());
        DataInputStream in = new DataInputStream(checked)) {
      byte[] buffer = new byte[1 << 16];
      while (left > 0) {
        int length = (int) Math.min(buffer.length, left);
        in.readFully(buffer, 0, length);
        left -= length;
      }
      long sum = checked.getChecksum().getValue();
      if (left < 0 || in.readLong() != sum) {
        throw new IOException("snapshot " + file + " is damaged: its checksum differs");
      }
    }
  }

  private static BufferedInputStream open(Path file) throws IOException {
    return new BufferedInputStream(Files.newInputStream(file), 1 << 16);
  }
}
