package io.jgloo.examples;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.StringTokenizer;

/**
 * Labelled sparse rows from a file in LIBSVM's format: a line {@code label index:value ...},
 * indices from 1, ascending.
 */
final class LibsvmFile {

  /** One line; a label above 0 means yes. */
  static final class Row {
    private final boolean yes;
    private final int[] indices;
    private final double[] values;

    private Row(boolean yes, int[] indices, double[] values) {
      this.yes = yes;
      this.indices = indices;
      this.values = values;
    }

    boolean isYes() {
      return yes;
    }

    /** The sum of values times weights. */
    double dot(double[] weights) {
      double sum = 0;
      for (int i = 0; i < indices.length; i++) {
        sum += values[i] * weights[indices[i]];
      }
      return sum;
    }

    /** Adds the values, times a factor. */
    void addTo(double[] target, double factor) {
      for (int i = 0; i < indices.length; i++) {
        target[indices[i]] += factor * values[i];
      }
    }

    /** Adds the indices of the features that this row has. */
    void addFeatures(BitSet target) {
      for (int index : indices) {
        target.set(index);
      }
    }

    private int features() {
      return indices.length == 0 ? 0 : indices[indices.length - 1] + 1;
    }
  }

  private LibsvmFile() {}

  /**
   * All rows of a file.
   *
   * @throws IOException if it cannot be read, or a line is not of the format
   */
  static List<Row> read(Path file) throws IOException {
    List<Row> rows = new ArrayList<>();
    try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.US_ASCII)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.isBlank()) {
          try {
            rows.add(row(line));
          } catch (NumberFormatException e) {
            throw new IOException(file + ", row " + (rows.size() + 1) + ": " + e.getMessage(), e);
          }
        }
      }
    }
    return rows;
  }

  /**
   * Writes rows that a hidden model labels, one in twenty of them wrongly; the same at each call.
   */
  static void generate(Path file, int rows, int features) throws IOException {
    Random random = new Random(11);
    double[] hidden = random.doubles(features, -2, 2).toArray();
    try (PrintWriter lines =
        new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.US_ASCII))) {
      for (int row = 0; row < rows; row++) {
        StringBuilder line = new StringBuilder();
        double margin = 0.3;
        for (int i = 0; i < features; i++) {
          if (random.nextInt(3) == 0) {
            double value = Math.rint(random.nextGaussian() * 1000) / 1000;
            margin += hidden[i] * value;
            line.append(' ').append(i + 1).append(':').append(value);
          }
        }
        boolean yes = margin > 0 ^ random.nextInt(20) == 0;
        lines.println((yes ? "+1" : "-1") + line);
      }
    }
  }

  private static Row row(String line) {
    StringTokenizer words = new StringTokenizer(line);
    double label = Double.parseDouble(words.nextToken());
    int[] indices = new int[words.countTokens()];
    double[] values = new double[indices.length];
    for (int i = 0; i < indices.length; i++) {
      String word = words.nextToken();
      int colon = word.indexOf(':');
      if (colon < 1) {
        throw new NumberFormatException("'" + word + "' is not index:value");
      }
      indices[i] = Integer.parseInt(word.substring(0, colon)) - 1;
      values[i] = Double.parseDouble(word.substring(colon + 1));
      if (indices[i] < 0 || (i > 0 && indices[i] <= indices[i - 1])) {
        throw new NumberFormatException("indices must ascend from 1: " + Arrays.toString(indices));
      }
    }
    return new Row(label > 0, indices, values);
  }

  /** Number of features: the largest index. */
  static int features(List<Row> rows) {
    return rows.stream().mapToInt(Row::features).max().orElse(0);
  }
}
