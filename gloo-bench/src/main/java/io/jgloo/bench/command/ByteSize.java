package io.jgloo.bench.command;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a number of bytes: digits, and K, M or G for the powers of 1024. */
public final class ByteSize implements ITypeConverter<Long> {

  private static final Pattern FORM = Pattern.compile("([0-9]{1,15})([KMG]?)(i?B)?");

  /** More than any memory; small enough that no product of it overflows. */
  private static final long MOST = 1L << 50;

  @Override
  public Long convert(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new TypeConversionException("'" + text + "' is no size such as 4, 64K, 16M or 1G");
    }
    long unit =
        switch (matcher.group(2)) {
          case "K" -> 1L << 10;
          case "M" -> 1L << 20;
          case "G" -> 1L << 30;
          default -> 1;
        };
    long number = Long.parseLong(matcher.group(1));
    if (number == 0 || number > MOST / unit) {
      throw new TypeConversionException("'" + text + "' must be 1 to 1048576G");
    }
    return number * unit;
  }

  /** {@code least}, then each {@code factor} times the one before, up to {@code most}. */
  public static List<Long> sweep(long least, long most, int factor) {
    List<Long> sizes = new ArrayList<>();
    for (long size = least; size <= most; size *= factor) {
      sizes.add(size);
    }
    return sizes;
  }
}
