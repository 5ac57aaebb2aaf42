package io.jgloo.lightgbm;

import com.microsoft.ml.lightgbm.lightgbmlibJNI;
import io.jgloo.transport.memory.Memory;
import java.util.List;
import java.util.function.LongToIntFunction;

/**
 * A model of LightGBM that is trained, or was loaded.
 *
 * <p><em>Threads</em>: the one with the network. <em>Owns</em>: the native model.
 */
final class Booster implements AutoCloseable {

  private final long handle;

  private Booster(long handle) {
    this.handle = handle;
  }

  /** A model to be trained, still without trees. */
  static Booster of(Dataset rows, String parameters) {
    return new Booster(
        handle(
            "LGBM_BoosterCreate",
            out -> lightgbmlibJNI.LGBM_BoosterCreate(rows.handle(), parameters, out)));
  }

  /** A model that was saved. */
  static Booster load(String model) {
    long iterations = Memory.allocate(8, 8);
    try {
      return new Booster(
          handle(
              "LGBM_BoosterLoadModelFromString",
              out -> lightgbmlibJNI.LGBM_BoosterLoadModelFromString(model, iterations, out)));
    } finally {
      Memory.free(iterations);
    }
  }

  /** Puts the trees of another model before those of this one. */
  void merge(Booster first) {
    check("LGBM_BoosterMerge", lightgbmlibJNI.LGBM_BoosterMerge(handle, first.handle));
  }

  /** Adds rows for which {@link #evaluate} computes the metrics. */
  void addValidation(Dataset rows) {
    check(
        "LGBM_BoosterAddValidData", lightgbmlibJNI.LGBM_BoosterAddValidData(handle, rows.handle()));
  }

  /**
   * Trains one iteration.
   *
   * @return whether no tree could be split any more
   */
  boolean update() {
    return number(
            "LGBM_BoosterUpdateOneIter",
            out -> lightgbmlibJNI.LGBM_BoosterUpdateOneIter(handle, out))
        != 0;
  }

  /** Number of iterations whose trees are complete. */
  int iterations() {
    return number(
        "LGBM_BoosterGetCurrentIteration",
        out -> lightgbmlibJNI.LGBM_BoosterGetCurrentIteration(handle, out));
  }

  /** Trees of an iteration: the number of classes, mostly 1. */
  int modelsPerIteration() {
    return number(
        "LGBM_BoosterNumModelPerIteration",
        out -> lightgbmlibJNI.LGBM_BoosterNumModelPerIteration(handle, out));
  }

  /** Names of the metrics. */
  List<String> metrics() {
    long names = lightgbmlibJNI.LGBM_BoosterGetEvalNamesSWIG(handle);
    if (names == 0) {
      throw new LightGbmException("LGBM_BoosterGetEvalNames: " + lastError());
    }
    try {
      return List.of(lightgbmlibJNI.StringArrayHandle_get_strings(names));
    } finally {
      lightgbmlibJNI.StringArrayHandle_free(names);
    }
  }

  /** The metrics of the validation rows of this rank. */
  double[] evaluate(int metrics) {
    long results = Memory.allocate(Math.max(8, 8L * metrics), 8);
    try {
      number(
          "LGBM_BoosterGetEval",
          out -> lightgbmlibJNI.LGBM_BoosterGetEval(handle, 1, out, results));
      double[] values = new double[metrics];
      Memory.copy(results, values, 0, metrics);
      return values;
    } finally {
      Memory.free(results);
    }
  }

  /** The model as text, with its first iterations only. */
  String save(int iterations) {
    long out = Memory.allocate(8, 8);
    try {
      String text =
          lightgbmlibJNI.LGBM_BoosterSaveModelToStringSWIG(handle, 0, iterations, 0, 1 << 20, out);
      if (text == null) {
        throw new LightGbmException("LGBM_BoosterSaveModelToString: " + lastError());
      }
      return text;
    } finally {
      Memory.free(out);
    }
  }

  long handle() {
    return handle;
  }

  @Override
  public void close() {
    lightgbmlibJNI.LGBM_BoosterFree(handle);
  }

  // Calls of LightGBM, which return 0 or -1 and write results to memory.

  /** A call that writes a handle. */
  static long handle(String name, LongToIntFunction call) {
    long out = Memory.allocate(8, 8);
    try {
      Memory.putLong(out, 0);
      check(name, call.applyAsInt(out));
      return Memory.getLong(out);
    } finally {
      Memory.free(out);
    }
  }

  /** A call that writes an int. */
  static int number(String name, LongToIntFunction call) {
    long out = Memory.allocate(8, 8);
    try {
      check(name, call.applyAsInt(out));
      return Memory.getInt(out);
    } finally {
      Memory.free(out);
    }
  }

  static void check(String name, int status) {
    if (status != 0) {
      throw new LightGbmException(name + ": " + lastError());
    }
  }

  private static String lastError() {
    return lightgbmlibJNI.LGBM_GetLastError();
  }
}
