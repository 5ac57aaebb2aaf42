package io.jgloo.rendezvous.store.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** How a {@link FileStore} names a key's file, and what is in it. */
interface FileFormat {
  /** The name of the file of a key. */
  String name(byte[] key);

  /** Whether this is the name of some key's file. */
  boolean isName(String file);

  /** What is in the file of a key with that value. */
  ByteBuffer encode(byte[] key, byte[] value);

  /**
   * The value in the file, {@code null} if there is no such file.
   *
   * @throws FileRecord.TornRecordException if the file is not a whole record of {@code key}
   */
  byte[] read(Path file, byte[] key) throws IOException;

  /** Whether the file is there and, as far as that shows without reading it, whole. */
  boolean isWhole(Path file) throws IOException;

  /** Whether the key can be told from the file. */
  boolean holdsKeys();

  /** The key a file is about, {@code null} if it is gone or torn. */
  String key(Path file) throws IOException;
}
