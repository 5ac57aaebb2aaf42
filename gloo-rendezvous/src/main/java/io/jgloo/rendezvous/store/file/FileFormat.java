package io.jgloo.rendezvous.store.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** The names and the content of the files of a {@link FileStore}. */
interface FileFormat {
  /** The name of the file of a key. */
  String name(byte[] key);

  /** The content of the file of a key with that value. */
  ByteBuffer encode(byte[] key, byte[] value);

  /**
   * The value in the file, {@code null} if there is no such file.
   *
   * @throws OwnFileFormat.TornRecordException if the file is not a whole record of {@code key}
   */
  byte[] read(Path file, byte[] key) throws IOException;

  /** Whether the file exists and, as far as its header shows, is whole. */
  boolean isWhole(Path file) throws IOException;
}
