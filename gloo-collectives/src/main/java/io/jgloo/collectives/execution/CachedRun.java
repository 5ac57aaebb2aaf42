package io.jgloo.collectives.execution;

/**
 * A run of a collective, made once for a kind of calls and kept by the {@link PlanCache}.
 *
 * <p><em>Threads</em>: as {@link Run}.
 */
abstract class CachedRun extends Run {

  final PlanFamily family;
  final PlanCache cache;

  CachedRun(PlanFamily family, PlanCache cache, Driver driver) {
    super(driver);
    this.family = family;
    this.cache = cache;
  }

  /** Takes the call's memory, and what else it needs. */
  abstract void bind(Call call);

  @Override
  final String operation() {
    return family.operation();
  }
}
