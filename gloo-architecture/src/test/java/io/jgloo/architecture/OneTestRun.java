package io.jgloo.architecture;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Optional;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the test method (second argument) of a class (first one), and exits with the outcome; after
 * a failure the last line printed begins with {@link #FAILED} and has its message.
 */
final class OneTestRun implements TestExecutionListener {
  static final int PASSED = 0;
  static final int RED = 10;
  static final int NOT_RUN = 11;
  static final String FAILED = "failed: ";

  private int passed;
  private Throwable failure;

  private OneTestRun() {}

  public static void main(String[] arguments) throws ClassNotFoundException {
    PostDiscoveryFilter method =
        test ->
            FilterResult.includedIf(
                test.getSource()
                    .map(
                        source ->
                            !(source instanceof MethodSource found)
                                || found.getMethodName().equals(arguments[1]))
                    .orElse(true));
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectClass(Class.forName(arguments[0])))
            .filters(method)
            .configurationParameter("junit.jupiter.execution.timeout.default", "120 s")
            .configurationParameter(
                "junit.jupiter.execution.timeout.thread.mode.default", "SEPARATE_THREAD")
            .build();
    OneTestRun run = new OneTestRun();
    LauncherFactory.create().execute(request, run);
    if (run.failure != null) {
      System.out.println(FAILED + run.failure.toString().replaceAll("\\s+", " "));
    }
    System.exit(run.failure != null ? RED : run.passed > 0 ? PASSED : NOT_RUN);
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    Optional<Throwable> thrown = result.getThrowable();
    if (result.getStatus() == TestExecutionResult.Status.FAILED) {
      failure = failure == null ? thrown.orElse(new AssertionError("failed")) : failure;
      thrown.ifPresent(Throwable::printStackTrace);
    } else if (test.isTest() && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) {
      passed++;
    }
  }
}
