package io.jgloo.rendezvous.store.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreConcurrencyContract;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link FileStore} keeps the contract in each of its formats. */
final class FileStoreTest {
  /** One's own format. */
  @Nested
  final class Own extends StoreConcurrencyContract {
    @TempDir Path directory;

    @Override
    protected Store open() {
      return new FileStore(directory, LONG);
    }
  }

  /** The format of C++ Gloo. */
  @Nested
  final class Gloo extends StoreConcurrencyContract {
    @TempDir Path directory;

    @Override
    protected Store open() {
      return FileStore.inGlooFormat(directory, LONG);
    }

    /** A key that C++ sets, and one that it would read. */
    @Test
    void filesAreNamedByTheHashAndHoldTheValue() throws Exception {
      Store store = handle();
      Files.write(directory.resolve("2297668033614959926"), "theirs".getBytes(UTF_8));
      assertValue("theirs", store.get("0"));
      store.set("prefix/0", bytes("ours"));
      assertArrayEquals(bytes("ours"), Files.readAllBytes(directory.resolve("327079885772229184")));
    }

    @Test
    void hashesAreThoseOfTheirLibrary() {
      Map<String, String> known =
          Map.of(
              "", "6142509188972423790",
              "0", "2297668033614959926",
              "1", "10159970873491820195",
              "10", "2594088158685378223",
              "rank_0", "7977090932840177126",
              "prefix/0", "327079885772229184",
              "test/0", "5988055028381010585",
              "0123456789abcdef", "10613591747391057286");
      known.forEach(
          (key, hash) -> assertEquals(hash, new CppGlooFileFormat().name(bytes(key)), key));
    }
  }
}
