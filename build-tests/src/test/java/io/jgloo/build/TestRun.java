package io.jgloo.build;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs the tests of classes as a user's build does, and prints the result of each. */
final class TestRun {

  private TestRun() {}

  /**
   * @param arguments names of the classes
   */
  public static void main(String[] arguments) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(Stream.of(arguments).map(name -> selectClass(name)).toList())
            .build();
    TestExecutionListener printer =
        new TestExecutionListener() {
          @Override
          public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (test.isTest()) {
              String failure = result.getThrowable().map(Throwable::getMessage).orElse("");
              System.out.println(result.getStatus() + " " + test.getUniqueId() + " " + failure);
            }
          }
        };
    LauncherFactory.create().execute(request, printer);
  }
}
