package io.jgloo.rendezvous.store.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** JGloo's own file format: {@link KeyFileName} and {@link FileRecord}. */
final class OwnFileFormat implements FileFormat {
  @Override
  public String name(byte[] key) {
    return KeyFileName.of(key);
  }

  @Override
  public boolean isName(String file) {
    return !file.startsWith(".");
  }

  @Override
  public ByteBuffer encode(byte[] key, byte[] value) {
    return FileRecord.encode(key, value);
  }

  @Override
  public byte[] read(Path file, byte[] key) throws IOException {
    return FileRecord.read(file, key);
  }

  @Override
  public boolean isWhole(Path file) throws IOException {
    return FileRecord.isWhole(file);
  }

  @Override
  public boolean holdsKeys() {
    return true;
  }

  @Override
  public String key(Path file) throws IOException {
    return FileRecord.key(file);
  }
}
