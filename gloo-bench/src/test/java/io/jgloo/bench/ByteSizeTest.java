package io.jgloo.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jgloo.bench.command.ByteSize;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

/** Sizes as people type them. */
@Timeout(30)
final class ByteSizeTest {

  @ParameterizedTest
  @CsvSource({"4,4", "1K,1024", "64M,67108864", "2G,2147483648", "16KiB,16384", "3MB,3145728"})
  void suffixesArePowersOf1024(String text, long bytes) {
    assertEquals(bytes, new ByteSize().convert(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "-4", "4k", "1.5M", "4T", "M", "9999999999999999", "2000000G"})
  void nonsenseIsRefused(String text) {
    TypeConversionException refusal =
        assertThrows(TypeConversionException.class, () -> new ByteSize().convert(text));
    assertEquals(0, refusal.getMessage().indexOf("'" + text + "'"));
  }

  @Test
  void sweepsIncludeBothEnds() {
    assertEquals(List.of(4L, 16L, 64L), ByteSize.sweep(4, 64, 4));
    assertEquals(List.of(4L, 16L), ByteSize.sweep(4, 63, 4));
    assertEquals(List.of(7L), ByteSize.sweep(7, 7, 2));
    assertEquals(13, ByteSize.sweep(4, 64 << 20, 4).size());
  }
}
