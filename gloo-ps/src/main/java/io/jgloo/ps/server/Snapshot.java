package io.jgloo.ps.server;

import io.jgloo.ps.kv.ValueType;
import io.jgloo.transport.InterruptedOperationException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;

/**
 * A file with the values of an application at a server, as {@link StateWriter} writes them.
 *
 * <p>It is written beside the file and replaces it when it is complete and on the disk. Closed
 * before, it leaves the file as it is.
 */
public final class Snapshot implements AutoCloseable {

  private final Path file;
  private final Path beside;
  private final FileOutputStream raw;
  private final StateWriter writer;

  public Snapshot(Path file, ValueType<?> type) throws IOException {
    this.file = file;
    beside = Path.of(file + ".new");
    raw = new FileOutputStream(beside.toFile());
    try {
      writer = new StateWriter(new BufferedOutputStream(raw, 1 << 16), type);
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  public StateWriter writer() {
    return writer;
  }

  /**
   * Waits for all parts and replaces the file.
   *
   * @throws IOException if a part failed, or had not ended at the timeout
   */
  public void finish(Duration timeout) throws IOException {
    try {
      writer.written().get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new IOException(
          ("snapshot "
                  + file
                  + ": "
                  + writer.left()
                  + " of "
                  + writer.shards()
                  + " shards have not written")
              + (" their values within " + timeout.toMillis() / 1e3 + " s"),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("interrupted while writing snapshot " + file, e);
    } catch (ExecutionException e) {
      throw new IOException("snapshot " + file + " failed: " + e.getCause(), e.getCause());
    }
    writer.finish();
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
  public static void read(
      Path file, ValueType<?> type, AppliedPushes applied, StateWriter.Loader loader) {
    try {
      verify(file);
      try (DataInputStream in = new DataInputStream(open(file))) {
        StateWriter.read(in, file.toString(), type, applied, loader);
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
