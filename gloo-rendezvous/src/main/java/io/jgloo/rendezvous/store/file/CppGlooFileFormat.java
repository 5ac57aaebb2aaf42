package io.jgloo.rendezvous.store.file;

import io.jgloo.rendezvous.store.Store;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The file format of C++ Gloo's FileStore: the file's name is the decimal hash of the key, its
 * content the value.
 *
 * <p>The hash is {@code std::hash<std::string>} of GCC's library on 64 bits: MurmurHash64A with
 * seed {@code 0xc70f6907}. Gloo built with another library hashes differently and does not find
 * these files.
 */
final class CppGlooFileFormat implements FileFormat {
  private static final long SEED = 0xc70f6907L;
  private static final long MULTIPLIER = 0xc6a4a7935bd1e995L;
  private static final int SHIFT = 47;

  /** The hash of a key. */
  static long hash(byte[] key) {
    ByteBuffer bytes = ByteBuffer.wrap(key).order(ByteOrder.LITTLE_ENDIAN);
    long hash = SEED ^ (key.length * MULTIPLIER);
    while (bytes.remaining() >= Long.BYTES) {
      long word = mixed(bytes.getLong() * MULTIPLIER) * MULTIPLIER;
      hash = (hash ^ word) * MULTIPLIER;
    }
    if (bytes.hasRemaining()) {
      long tail = 0;
      for (int shift = 0; bytes.hasRemaining(); shift += Byte.SIZE) {
        tail |= (bytes.get() & 0xffL) << shift;
      }
      hash = (hash ^ tail) * MULTIPLIER;
    }
    return mixed(mixed(hash) * MULTIPLIER);
  }

  private static long mixed(long value) {
    return value ^ (value >>> SHIFT);
  }

  @Override
  public String name(byte[] key) {
    return Long.toUnsignedString(hash(key));
  }

  @Override
  public ByteBuffer encode(byte[] key, byte[] value) {
    return ByteBuffer.wrap(value);
  }

  @Override
  public byte[] read(Path file, byte[] key) throws IOException {
    try {
      return StoreFile.read(file, Store.MAX_VALUE_BYTES);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  @Override
  public boolean isWhole(Path file) throws IOException {
    return StoreFile.requireRegular(file);
  }
}
