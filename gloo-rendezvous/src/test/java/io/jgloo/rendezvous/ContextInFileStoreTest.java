package io.jgloo.rendezvous;

import io.jgloo.rendezvous.store.ExtendedStore;
import io.jgloo.rendezvous.store.file.FileStore;
import io.jgloo.transport.Device;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Ranks meet in a store of files. */
final class ContextInFileStoreTest extends ContextContract {
  @TempDir private Path directory;

  @Override
  protected ExtendedStore openStore() {
    return new FileStore(directory, LONG);
  }

  @Override
  protected boolean waitsForDeadlines() {
    return Boolean.getBoolean("jgloo.test.full");
  }

  @Override
  protected Device openDevice() {
    return ContextTest.tcp();
  }
}
