package io.jgloo.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * A file that appears complete or not at all.
 *
 * <p>Written beside its place and moved there at the end; made at the start, so that minutes of
 * measuring do not end at a folder that cannot be written to.
 *
 * <p><em>Owns</em>: the file beside it.
 */
final class OutputFile implements AutoCloseable {

  private final Path path;
  private final Path draft;
  private final PrintWriter writer;

  private OutputFile(Path path, Path draft) throws IOException {
    this.path = path;
    this.draft = draft;
    // With the permissions of any new file, which a temporary file does not have.
    writer = new PrintWriter(Files.newBufferedWriter(draft, UTF_8, StandardOpenOption.CREATE_NEW));
  }

  static OutputFile create(Path path) throws IOException {
    Path absolute = path.toAbsolutePath();
    if (Files.isDirectory(absolute)) {
      throw new IOException("it is a folder");
    }
    Path draft =
        absolute.resolveSibling("." + absolute.getFileName() + "." + UUID.randomUUID() + ".tmp");
    return new OutputFile(absolute, draft);
  }

  PrintWriter writer() {
    return writer;
  }

  /**
   * Puts the file in its place.
   *
   * @throws IOException if what was written did not fit on the disk
   */
  void publish() throws IOException {
    writer.close();
    if (writer.checkError()) {
      throw new IOException("--output " + path + " could not be written");
    }
    Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void close() throws IOException {
    writer.close();
    Files.deleteIfExists(draft);
  }
}
