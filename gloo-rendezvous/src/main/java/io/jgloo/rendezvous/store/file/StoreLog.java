package io.jgloo.rendezvous.store.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The file of a PyTorch file store, replayed: a sequence of records, of which the last one of a key
 * is valid.
 *
 * <pre>
 *   record = u32 key length, key, u32 value length, value               little-endian
 *   key    = '/' and a user's key, or '-' and the stored key that is deleted, or one of the
 *            counters refcount/ and cleanup/
 * </pre>
 *
 * <p>Only records that were appended since the last read are read. A truncated record is of a
 * process that died during a write: readers do not see it, and the next writer removes it. A file
 * that does not begin with a record, or has one with another kind of key, is another program's: it
 * is refused and not changed.
 *
 * <p>Threads: one at a time, with the file's lock held. Keys are kept as ISO 8859-1, one character
 * per byte.
 */
final class StoreLog {
  private static final int MAX_KEY_BYTES = 1 << 20;
  private static final int MAX_VALUE_BYTES = 256 << 20;
  private static final int CHUNK_BYTES = 2 * MAX_KEY_BYTES; // a whole key is in the first

  private final Path file;
  private final Map<String, byte[]> entries = new HashMap<>();
  private long end; // of the last whole record that was read
  private Object identity; // of the file that was read; a new file is read from its start

  StoreLog(Path file) {
    this.file = file;
  }

  byte[] get(String key) {
    return entries.get(key);
  }

  boolean contains(String key) {
    return entries.containsKey(key);
  }

  /** Whether there are bytes that have not been read yet; takes no lock. */
  boolean isBehind() throws IOException {
    try {
      BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
      return now.size() != end || !Objects.equals(now.fileKey(), identity);
    } catch (NoSuchFileException e) {
      return identity != null;
    }
  }

  /** Drops the content of a file that does not exist any more. */
  void vanished() {
    entries.clear();
    end = 0;
    identity = null;
  }

  /** Reads the records that other processes have appended. */
  void catchUp() throws IOException {
    Object now = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    try (FileChannel channel = StoreFile.open(file)) {
      if (!Objects.equals(now, identity) || channel.size() < end) {
        vanished();
        identity = now;
      }
      long chunk = CHUNK_BYTES;
      while (end < channel.size()) {
        long start = end;
        long unread = channel.size() - start;
        replay(read(channel, (int) Math.min(unread, chunk)));
        if (end == start && chunk >= unread) {
          return; // a truncated record
        }
        chunk = end == start ? 2 * chunk : CHUNK_BYTES; // for a record that is longer
      }
    }
  }

  private ByteBuffer read(FileChannel channel, int bytes) throws IOException {
    ByteBuffer tail = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    while (tail.hasRemaining() && channel.read(tail, end + tail.position()) >= 0) {}
    return tail.flip();
  }

  private static boolean isKey(String name) {
    return name.startsWith("/")
        || name.startsWith("-")
        || name.equals("refcount/")
        || name.equals("cleanup/");
  }

  private OwnFileFormat.TornRecordException foreign() {
    return new OwnFileFormat.TornRecordException(
        file, "at offset " + end + " is no record of PyTorch's file store; it is not changed");
  }

  private void replay(ByteBuffer tail) throws IOException {
    long start = end;
    while (true) {
      tail.mark();
      byte[] key = field(tail, MAX_KEY_BYTES);
      if (key == null) {
        if (end == 0) {
          throw foreign();
        }
        return;
      }
      String name = new String(key, StandardCharsets.ISO_8859_1);
      if (!isKey(name)) {
        throw foreign();
      }
      byte[] value = field(tail, MAX_VALUE_BYTES);
      if (value == null) {
        return;
      }
      end = start + tail.position();
      if (name.startsWith("-")) {
        entries.remove(name.substring(1));
      } else {
        entries.put(name, value);
      }
    }
  }

  /** A field, {@code null} if the file ends before it does. */
  private byte[] field(ByteBuffer tail, int most) throws IOException {
    if (tail.remaining() < Integer.BYTES) {
      return null;
    }
    int length = tail.getInt();
    if (length < 0 || length > most) {
      throw new OwnFileFormat.TornRecordException(
          file, "a field of " + Integer.toUnsignedString(length) + " bytes near offset " + end);
    }
    if (tail.remaining() < length) {
      return null;
    }
    byte[] field = new byte[length];
    tail.get(field);
    return field;
  }

  /** Appends a record, having caught up; only with the lock for writing. */
  void append(String key, byte[] value) throws IOException {
    byte[] name = key.getBytes(StandardCharsets.ISO_8859_1);
    ByteBuffer out =
        ByteBuffer.allocate(2 * Integer.BYTES + name.length + value.length)
            .order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(name.length).put(name).putInt(value.length).put(value);
    try (FileChannel channel = StoreFile.open(file, StoreFile.with(StandardOpenOption.WRITE))) {
      if (channel.size() > end) {
        channel.truncate(end); // a truncated record of a process that died
      }
      out.flip();
      while (out.hasRemaining()) {
        channel.write(out, end + out.position());
      }
    }
    replay(out.rewind());
  }
}
