package io.jgloo.lightgbm;

import io.jgloo.transport.memory.Memory;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one rank: values of all features, labels, and where needed weights and query sizes.
 * They stay on the Java heap or in the file; LightGBM makes bins of a copy off the heap, which is
 * freed again.
 *
 * <p><em>Threads</em>: one at a time. The arrays are not copied, and must not change before the
 * training has ended.
 */
public final class TrainingRows {

  /** A matrix by rows, or a sparse one, whose values lie in float[] or double[]. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Matrix(Object values, int rows, int columns, int @Nullable [] starts, int[] indices) {}

  private final @Nullable Matrix matrix;
  private final @Nullable Path file;
  private float @Nullable [] labels;
  private float @Nullable [] weights;
  private int @Nullable [] queries;

  private TrainingRows(@Nullable Matrix matrix, @Nullable Path file) {
    this.matrix = matrix;
    this.file = file;
  }

  /**
   * Dense rows, one after the other; NaN is a missing value.
   *
   * @param columns features of a row, of which the length of values is a multiple
   */
  public static TrainingRows dense(float[] values, int columns) {
    return dense(values, values.length, columns);
  }

  /** The same with values of float64. */
  public static TrainingRows dense(double[] values, int columns) {
    return dense(values, values.length, columns);
  }

  private static TrainingRows dense(Object values, int length, int columns) {
    if (columns < 1 || length % columns != 0) {
      throw new IllegalArgumentException(
          "columns must be positive and divide the " + length + " values, but is " + columns);
    }
    return new TrainingRows(new Matrix(values, length / columns, columns, null, new int[0]), null);
  }

  /**
   * Sparse rows: the values of row r lie from {@code starts[r]} to before {@code starts[r + 1]},
   * each with the number of its feature.
   *
   * @param columns number of features
   */
  public static TrainingRows csr(int[] starts, int[] indices, double[] values, int columns) {
    if (starts.length == 0 || starts[0] != 0 || starts[starts.length - 1] != values.length) {
      throw new IllegalArgumentException(
          "starts must begin with 0 and end with the number of values, " + values.length);
    }
    if (indices.length != values.length) {
      throw new IllegalArgumentException(
          "indices must be as many as values, " + values.length + ", but are " + indices.length);
    }
    int rows = starts.length - 1;
    return new TrainingRows(new Matrix(values, rows, columns, starts, indices), null);
  }

  /**
   * This rank's own file, with labels, in a format of LightGBM: CSV, TSV or LibSVM. Parameters such
   * as {@code header} and {@code label_column} describe it.
   */
  public static TrainingRows file(Path file) {
    if (file == null) {
      throw new IllegalArgumentException("file must not be null");
    }
    return new TrainingRows(null, file);
  }

  /** These rows with a label each. */
  public TrainingRows labels(float... values) {
    labels = perRow("labels", values);
    return this;
  }

  /** These rows with a weight each. */
  public TrainingRows weights(float... values) {
    weights = perRow("weights", values);
    return this;
  }

  /** These rows in queries, for ranking: the number of rows of each, one after the other. */
  public TrainingRows queries(int... sizes) {
    long sum = 0;
    for (int size : sizes) {
      sum += size;
    }
    if (matrix != null && sum != matrix.rows()) {
      throw new IllegalArgumentException(
          "queries must have " + matrix.rows() + " rows in total, but have " + sum);
    }
    queries = sizes;
    return this;
  }

  private float[] perRow(String name, float[] values) {
    if (matrix != null && values.length != matrix.rows()) {
      throw new IllegalArgumentException(
          name + " must be one for each of " + matrix.rows() + " rows, but are " + values.length);
    }
    return values;
  }

  @Nullable Matrix matrix() {
    return matrix;
  }

  @Nullable Path file() {
    return file;
  }

  float @Nullable [] labels() {
    return labels;
  }

  float @Nullable [] weights() {
    return weights;
  }

  int @Nullable [] queries() {
    return queries;
  }

  /** A copy of an array off the heap, which the caller frees. */
  static long copy(Object array) {
    if (array instanceof float[] x) {
      long address = Memory.allocate(Math.max(1, 4L * x.length), Memory.CACHE_LINE);
      Memory.copy(x, 0, address, x.length);
      return address;
    } else if (array instanceof int[] x) {
      long address = Memory.allocate(Math.max(1, 4L * x.length), Memory.CACHE_LINE);
      Memory.copy(x, 0, address, x.length);
      return address;
    }
    double[] x = (double[]) array;
    long address = Memory.allocate(Math.max(1, 8L * x.length), Memory.CACHE_LINE);
    Memory.copy(x, 0, address, x.length);
    return address;
  }
}
