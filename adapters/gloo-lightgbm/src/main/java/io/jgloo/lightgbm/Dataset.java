package io.jgloo.lightgbm;

import com.microsoft.ml.lightgbm.lightgbmlibJNI;
import io.jgloo.lightgbm.TrainingRows.Matrix;
import io.jgloo.transport.memory.Memory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * LightGBM's bins of the rows of one rank, and calls of LightGBM that need the rows themselves.
 *
 * <p><em>Threads</em>: the one with the network. <em>Owns</em>: the native data set.
 */
final class Dataset implements AutoCloseable {

  private static final int FLOAT32 = lightgbmlibJNI.C_API_DTYPE_FLOAT32_get();
  private static final int FLOAT64 = lightgbmlibJNI.C_API_DTYPE_FLOAT64_get();
  private static final int INT32 = lightgbmlibJNI.C_API_DTYPE_INT32_get();
  private static final int RAW_SCORE = lightgbmlibJNI.C_API_PREDICT_RAW_SCORE_get();

  private final TrainingRows rows;
  private final String parameters;
  private final long handle;

  /**
   * Makes bins, which ranks with an open network agree on.
   *
   * @param reference whose bins are taken, or null
   */
  Dataset(TrainingRows rows, String parameters, @Nullable Dataset reference) {
    this.rows = rows;
    this.parameters = parameters;
    long other = reference == null ? 0 : reference.handle;
    Matrix matrix = rows.matrix();
    handle = matrix == null ? load(other) : create(matrix, other);
    try {
      set("label", rows.labels());
      set("weight", rows.weights());
      set("group", rows.queries());
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private long load(long reference) {
    String file = Objects.requireNonNull(rows.file()).toString();
    return Booster.handle(
        "LGBM_DatasetCreateFromFile",
        out -> lightgbmlibJNI.LGBM_DatasetCreateFromFile(file, parameters, reference, out));
  }

  private long create(Matrix matrix, long reference) {
    int type = typeOf(matrix);
    long values = TrainingRows.copy(matrix.values());
    try {
      if (matrix.starts() == null) {
        return Booster.handle(
            "LGBM_DatasetCreateFromMat",
            out ->
                lightgbmlibJNI.LGBM_DatasetCreateFromMat(
                    values, type, matrix.rows(), matrix.columns(), 1, parameters, reference, out));
      }
      long starts = TrainingRows.copy(matrix.starts());
      long indices = TrainingRows.copy(matrix.indices());
      try {
        return Booster.handle(
            "LGBM_DatasetCreateFromCSR",
            out ->
                lightgbmlibJNI.LGBM_DatasetCreateFromCSR(
                    starts,
                    INT32,
                    indices,
                    values,
                    type,
                    matrix.rows() + 1L,
                    matrix.indices().length,
                    matrix.columns(),
                    parameters,
                    reference,
                    out));
      } finally {
        Memory.free(starts);
        Memory.free(indices);
      }
    } finally {
      Memory.free(values);
    }
  }

  private static int typeOf(Matrix matrix) {
    return matrix.values() instanceof float[] ? FLOAT32 : FLOAT64;
  }

  private void set(String field, @Nullable Object array) {
    if (array == null) {
      return;
    }
    int type = array instanceof int[] ? INT32 : array instanceof float[] ? FLOAT32 : FLOAT64;
    int length = java.lang.reflect.Array.getLength(array);
    long copy = TrainingRows.copy(array);
    try {
      Booster.check(
          "LGBM_DatasetSetField",
          lightgbmlibJNI.LGBM_DatasetSetField(handle, field, copy, length, type));
    } finally {
      Memory.free(copy);
    }
  }

  /** Makes training go on from what a model predicts for these rows. */
  void startFrom(Booster model) {
    double[] scores = predictRaw(model);
    int rowCount = count();
    int classes = scores.length / Math.max(1, rowCount);
    double[] byClass = new double[scores.length]; // as LightGBM wants it
    for (int row = 0; row < rowCount; row++) {
      for (int each = 0; each < classes; each++) {
        byClass[each * rowCount + row] = scores[row * classes + each];
      }
    }
    set("init_score", byClass);
  }

  /** The raw scores of a model, for each row one of each class. */
  double[] predictRaw(Booster model) {
    Matrix matrix = rows.matrix();
    return matrix == null ? predictFile(model) : predict(model, matrix);
  }

  private double[] predict(Booster model, Matrix matrix) {
    int length = matrix.rows() * model.modelsPerIteration();
    long values = TrainingRows.copy(matrix.values());
    long starts = matrix.starts() == null ? 0 : TrainingRows.copy(matrix.starts());
    long indices = TrainingRows.copy(matrix.indices());
    long results = Memory.allocate(Math.max(1, 8L * length), Memory.CACHE_LINE);
    long out = Memory.allocate(8, 8);
    try {
      Booster.check(
          "LGBM_BoosterPredict",
          starts == 0
              ? lightgbmlibJNI.LGBM_BoosterPredictForMat(
                  model.handle(),
                  values,
                  typeOf(matrix),
                  matrix.rows(),
                  matrix.columns(),
                  1,
                  RAW_SCORE,
                  0,
                  -1,
                  parameters,
                  out,
                  results)
              : lightgbmlibJNI.LGBM_BoosterPredictForCSR(
                  model.handle(),
                  starts,
                  INT32,
                  indices,
                  values,
                  typeOf(matrix),
                  matrix.rows() + 1L,
                  matrix.indices().length,
                  matrix.columns(),
                  RAW_SCORE,
                  0,
                  -1,
                  parameters,
                  out,
                  results));
      double[] scores = new double[length];
      Memory.copy(results, scores, 0, length);
      return scores;
    } finally {
      Memory.free(out);
      Memory.free(results);
      Memory.free(indices);
      if (starts != 0) {
        Memory.free(starts);
      }
      Memory.free(values);
    }
  }

  private double[] predictFile(Booster model) {
    try {
      Path results = Files.createTempFile("jgloo-lightgbm-", ".txt");
      try {
        int header = parameters.contains("header=true") ? 1 : 0;
        Booster.check(
            "LGBM_BoosterPredictForFile",
            lightgbmlibJNI.LGBM_BoosterPredictForFile(
                model.handle(),
                Objects.requireNonNull(rows.file()).toString(),
                header,
                RAW_SCORE,
                0,
                -1,
                parameters,
                results.toString()));
        List<String> lines = Files.readAllLines(results);
        return lines.stream()
            .flatMap(line -> List.of(line.trim().split("\\s+")).stream())
            .mapToDouble(Double::parseDouble)
            .toArray();
      } finally {
        Files.delete(results);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Number of rows. */
  int count() {
    return Booster.number(
        "LGBM_DatasetGetNumData", out -> lightgbmlibJNI.LGBM_DatasetGetNumData(handle, out));
  }

  long handle() {
    return handle;
  }

  @Override
  public void close() {
    lightgbmlibJNI.LGBM_DatasetFree(handle);
  }
}
