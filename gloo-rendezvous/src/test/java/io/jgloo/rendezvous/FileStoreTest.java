package io.jgloo.rendezvous;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** {@link FileStore} keeps the contract. */
final class FileStoreTest extends StoreConcurrencyContract {
  @TempDir Path directory;

  @Override
  protected Store open() {
    return new FileStore(directory, LONG);
  }

  @Override
  protected boolean hasQueues() {
    return false;
  }
}
