package io.jgloo.lightgbm;

import io.jgloo.ProcessGroup;
import java.util.Map;

/**
 * The result of a training; equal at all ranks, the group aside.
 *
 * @param text the model in LightGBM's format, for {@code LGBM_BoosterLoadModelFromString} and files
 * @param iterations of the model
 * @param metrics the metrics of the last of these iterations, averaged over all ranks; empty
 *     without validation rows
 * @param group the ranks that have finished; another group than the one given if ranks were lost.
 *     The caller closes it
 */
public record TrainedModel(
    String text, int iterations, Map<String, Double> metrics, ProcessGroup group) {}
