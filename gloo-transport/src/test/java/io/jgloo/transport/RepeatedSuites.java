package io.jgloo.transport;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import java.util.Set;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The suites of {@link DeviceContract} that do not depend on what is special about a device: they
 * repeat what they check on another one, so they run in the profile {@code full} only.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RepeatedSuites.Condition.class)
public @interface RepeatedSuites {

  Class<? extends DeviceUnderTest>[] value();

  /** Skips the tests that these suites declare, unless all are to run. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      Class<?> suite =
          context.getTestMethod().<Class<?>>map(Method::getDeclaringClass).orElse(null);
      Class<?>[] repeated =
          context.getRequiredTestClass().getAnnotation(RepeatedSuites.class).value();
      return Ranks.FULL || suite == null || !Set.of(repeated).contains(suite)
          ? ConditionEvaluationResult.enabled("depends on the device")
          : ConditionEvaluationResult.disabled("a repetition, in the profile full only");
    }
  }
}
