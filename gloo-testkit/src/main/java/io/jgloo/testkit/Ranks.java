package io.jgloo.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs a JUnit test method once per rank of a group, at the same time, on threads of one JVM that
 * open no socket. With several sizes the test runs once for each:
 *
 * <pre>{@code
 * @Ranks({1, 2, 3, 5})
 * void sum_isTheNumberOfRanks(ProcessGroup group) {
 *   int[] x = {1};
 *   group.allreduce(x, ReduceOp.SUM);
 *   assertEquals(group.size(), x[0]);
 * }
 * }</pre>
 *
 * <p>The ranks share the test instance and its fields. {@code @BeforeEach} and {@code @AfterEach}
 * methods with a {@link io.jgloo.ProcessGroup} parameter run once per rank too, those without one
 * run once. A parameter of type {@link Faults} plans or causes failures. With {@link Simulated} the
 * ranks run in virtual time.
 *
 * <p><em>Fails</em>: as {@link LocalRanks#run(LocalRanks.Body)}.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(RanksExtension.class)
@SuppressWarnings("exports") // JUnit makes the extension by reflection
public @interface Ranks {

  /** Numbers of ranks, at least 1 each. */
  int[] value();

  /**
   * Whether each rank is a process of its own, on the class path of the test; with TCP and shared
   * memory, and a test instance per rank.
   */
  boolean processes() default false;

  /** How long the ranks may take, in seconds; then they hang. */
  int deadlineSeconds() default 60;
}
