package io.jgloo.ps.server;

import io.jgloo.transport.InterruptedOperationException;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/**
 * Files with the values of an application at a server, as {@link StateReader} reads them, and a
 * CRC-32 in 8 bytes at the end.
 */
public final class Snapshot {

  private Snapshot() {}

  /**
   * Writes a file beside the given one, which it replaces when it is complete and on the disk.
   *
   * @throws IOException if it cannot be written, or has not ended at the timeout
   */
  public static void write(Path file, StateReader reader, Duration timeout) throws IOException {
    Path beside = Path.of(file + ".new");
    long deadline = System.nanoTime() + timeout.toNanos();
    try (reader;
        FileOutputStream raw = new FileOutputStream(beside.toFile());
        CheckedOutputStream checked = new CheckedOutputStream(raw, new CRC32());
        DataOutputStream out = new DataOutputStream(checked)) {
      byte[] chunk = await(file, reader, deadline, timeout);
      while (chunk != null) {
        out.write(chunk);
        chunk = await(file, reader, deadline, timeout);
      }
      out.writeLong(checked.getChecksum().getValue());
      raw.getChannel().force(true);
      Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(beside);
    }
  }

  private static byte[] await(Path file, StateReader reader, long deadline, Duration timeout)
      throws IOException {
    try {
      return reader.next().get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new IOException(
          ("snapshot " + file + ": " + (reader.shards() - reader.shardsRead()) + " of ")
              + (reader.shards() + " shards have not written their values within ")
              + (timeout.toMillis() / 1e3 + " s"),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("interrupted while writing snapshot " + file, e);
    } catch (ExecutionException e) {
      throw new IOException("snapshot " + file + " failed: " + e.getCause(), e.getCause());
    }
  }

  /**
   * Opens a file at its header.
   *
   * @throws IOException if it cannot be read, or is damaged
   */
  public static DataInputStream open(Path file) throws IOException {
    long left = Files.size(file) - Long.BYTES;
    try (CheckedInputStream checked = new CheckedInputStream(buffered(file), new CRC32());
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
    return new DataInputStream(buffered(file));
  }

  private static BufferedInputStream buffered(Path file) throws IOException {
    return new BufferedInputStream(Files.newInputStream(file), 1 << 16);
  }
}
