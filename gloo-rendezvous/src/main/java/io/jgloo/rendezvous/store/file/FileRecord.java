package io.jgloo.rendezvous.store.file;

import io.jgloo.rendezvous.store.Store;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The content of one key's file in a {@link FileStore}: the key and its value, self-describing so
 * that a truncated or foreign file is recognised and never taken for a value.
 *
 * <pre>
 *  offset 0       4       8        12         16      16+k     16+k+v
 *         +-------+-------+--------+----------+-------+--------+
 *         | magic | CRC   | key    | value    | key   | value  |   little-endian; magic "JGS1";
 *         | u32   | u32   | length | length v | UTF-8 | bytes  |   CRC-32C of offset 8 to the end
 *         |       |       | k, u32 | u32      |       |        |
 *         +-------+-------+--------+----------+-------+--------+
 * </pre>
 */
final class FileRecord {
  private static final int MAGIC = 0x3153474a;
  private static final int HEADER_BYTES = 16;
  private static final long MAX_BYTES =
      (long) HEADER_BYTES + Store.MAX_KEY_BYTES + Store.MAX_VALUE_BYTES;

  private FileRecord() {}

  static ByteBuffer encode(byte[] key, byte[] value) {
    ByteBuffer record =
        ByteBuffer.allocate(HEADER_BYTES + key.length + value.length)
            .order(ByteOrder.LITTLE_ENDIAN);
    record.putInt(MAGIC).putInt(0).putInt(key.length).putInt(value.length).put(key).put(value);
    record.putInt(4, checksum(record.array()));
    return record.flip();
  }

  /**
   * The value in the file, {@code null} if there is no such file.
   *
   * @throws TornRecordException if the file is not a whole record of {@code key}
   */
  static byte[] read(Path file, byte[] key) throws IOException {
    byte[] bytes;
    try {
      bytes = StoreFile.read(file, MAX_BYTES);
    } catch (NoSuchFileException e) {
      return null;
    }
    ByteBuffer record = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int keyEnd = keyEnd(file, record, bytes.length);
    if (record.getInt(4) != checksum(bytes)) {
      throw new TornRecordException(file, "its checksum is wrong");
    }
    if (!Arrays.equals(bytes, HEADER_BYTES, keyEnd, key, 0, key.length)) {
      throw new TornRecordException(file, "it belongs to another key");
    }
    return Arrays.copyOfRange(bytes, keyEnd, bytes.length);
  }

  /** Whether the file exists with the length in its header; reads the header only. */
  static boolean isWhole(Path file) throws IOException {
    return header(file) != null;
  }

  /** The key of a file, {@code null} if the file does not exist or is torn. */
  static String key(Path file) throws IOException {
    ByteBuffer start = header(file);
    if (start == null) {
      return null;
    }
    int length = start.getInt(8);
    return start.limit() < HEADER_BYTES + length
        ? null
        : StandardCharsets.UTF_8.decode(start.slice(HEADER_BYTES, length)).toString();
  }

  /**
   * The beginning of the file up to the end of the longest key, {@code null} if it is not whole.
   */
  private static ByteBuffer header(Path file) throws IOException {
    ByteBuffer start =
        ByteBuffer.allocate(HEADER_BYTES + Store.MAX_KEY_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    try (FileChannel channel = StoreFile.open(file)) {
      while (start.hasRemaining() && channel.read(start) >= 0) {}
      keyEnd(file, start.flip(), channel.size());
      return start;
    } catch (NoSuchFileException | TornRecordException e) {
      return null;
    }
  }

  /** The offset of the value in a record of so many bytes, once the header is known to be true. */
  private static int keyEnd(Path file, ByteBuffer record, long size) throws TornRecordException {
    if (size < HEADER_BYTES || record.limit() < HEADER_BYTES) {
      throw new TornRecordException(file, "it has " + size + " bytes, less than a header");
    }
    int keyLength = record.getInt(8);
    int valueLength = record.getInt(12);
    if (record.getInt(0) != MAGIC) {
      throw new TornRecordException(file, "it does not begin with the magic number");
    }
    if (keyLength < 0
        || keyLength > Store.MAX_KEY_BYTES
        || valueLength < 0
        || size != (long) HEADER_BYTES + keyLength + valueLength) {
      throw new TornRecordException(
          file,
          "it has " + size + " bytes, header says key " + keyLength + ", value " + valueLength);
    }
    return HEADER_BYTES + keyLength;
  }

  private static int checksum(byte[] record) {
    CRC32C crc = new CRC32C();
    crc.update(record, 8, record.length - 8);
    return (int) crc.getValue();
  }

  /** A file that is not a whole record: truncated, damaged, or of another program. */
  static final class TornRecordException extends IOException {
    private static final long serialVersionUID = 1L;

    TornRecordException(Path file, String why) {
      super(file + " is not a whole record: " + why);
    }
  }
}
