package io.jgloo.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs the ranks of a {@link Ranks} test in simulated network and time, where a run is a function
 * of its seed. The ranks must not wait for each other but by calls of groups.
 *
 * <p>A failure names the seed; {@code -Djgloo.testkit.seed=SEED} runs that seed alone.
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Simulated {

  /** The first seed. */
  long seed() default 1;

  /** Number of seeds to run, one after the other, until one fails. */
  int seeds() default 1;
}
