package io.jgloo.rendezvous.store.file;

import io.jgloo.rendezvous.store.Store;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/**
 * JGloo's own file format.
 *
 * <p>The name of a file is readable, the same on every system, and safe against path tricks and
 * file systems that ignore case: {@code a-z 0-9 - _} stand for themselves, every other UTF-8 byte
 * is {@code %xx}; the empty key is {@code %}. A name longer than 200 characters is cut to 120 and
 * gets {@code ~} and the SHA-256 of the key. No name begins with a dot: those are the store's own
 * files.
 *
 * <p>The content of one key's file in a {@link FileStore}: the key and its value, self-describing
 * so that a truncated or foreign file is recognised and never taken for a value.
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
final class OwnFileFormat implements FileFormat {
  private static final int MAGIC = 0x3153474a;
  private static final int HEADER_BYTES = 16;
  private static final long MAX_BYTES =
      (long) HEADER_BYTES + Store.MAX_KEY_BYTES + Store.MAX_VALUE_BYTES;

  private static final int LONGEST = 200; // 255 is what file systems allow; room for a suffix
  private static final int KEPT = 120;

  @Override
  public String name(byte[] key) {
    StringBuilder name = new StringBuilder(key.length + 8);
    for (byte b : key) {
      if ((b >= 'a' && b <= 'z') || (b >= '0' && b <= '9') || b == '-' || b == '_') {
        name.append((char) b);
      } else {
        name.append('%').append(HexFormat.of().toHexDigits(b));
      }
    }
    if (name.length() <= LONGEST) {
      return name.isEmpty() ? "%" : name.toString();
    }
    return name.substring(0, KEPT) + "~" + HexFormat.of().formatHex(sha256(key));
  }

  private static byte[] sha256(byte[] key) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(key);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  @Override
  public ByteBuffer encode(byte[] key, byte[] value) {
    ByteBuffer record =
        ByteBuffer.allocate(HEADER_BYTES + key.length + value.length)
            .order(ByteOrder.LITTLE_ENDIAN);
    record.putInt(MAGIC).putInt(0).putInt(key.length).putInt(value.length).put(key).put(value);
    record.putInt(4, checksum(record.array()));
    return record.flip();
  }

  @Override
  public byte[] read(Path file, byte[] key) throws IOException {
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

  /** {@inheritDoc} Reads the header only. */
  @Override
  public boolean isWhole(Path file) throws IOException {
    ByteBuffer start = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    try (FileChannel channel = StoreFile.open(file)) {
      while (start.hasRemaining() && channel.read(start) >= 0) {}
      return keyEnd(file, start.flip(), channel.size()) > 0;
    } catch (NoSuchFileException | TornRecordException e) {
      return false;
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
