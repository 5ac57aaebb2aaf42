package io.jgloo.collectives.algorithm.pattern;

import io.jgloo.collectives.Algorithm;

/**
 * An algorithm in whose programs no message waits for another one, at any rank: at most one from
 * each rank to each, and all sends come before all receives.
 */
public interface OneRound extends Algorithm {}
