package io.jgloo.examples;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * Images of handwritten digits, from the file that {@code examples/digits} writes.
 *
 * @param lines one for each image: gray levels of 8 rows of 8 pixels, from 0 to 16, and the digit
 */
public record DigitImages(List<String> lines) {

  /** Pixels of an image in a row, and in a column. */
  public static final int SIDE = 8;

  private static final int PIXELS = SIDE * SIDE;

  /** Reads the compressed file. */
  public static DigitImages read(Path file) throws IOException {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.US_ASCII))) {
      return new DigitImages(lines.lines().toList());
    }
  }

  /** Gray levels from 0 to 1, image after image. */
  public float[] pixels(int... images) {
    float[] pixels = new float[images.length * PIXELS];
    for (int image = 0; image < images.length; image++) {
      String[] values = lines.get(images[image]).split(",", -1);
      for (int i = 0; i < PIXELS; i++) {
        pixels[image * PIXELS + i] = Float.parseFloat(values[i]) / 16;
      }
    }
    return pixels;
  }

  /** What the images show. */
  public int[] digits(int... images) {
    int[] digits = new int[images.length];
    for (int image = 0; image < images.length; image++) {
      String[] values = lines.get(images[image]).split(",", -1);
      digits[image] = (int) Float.parseFloat(values[PIXELS]);
    }
    return digits;
  }
}
