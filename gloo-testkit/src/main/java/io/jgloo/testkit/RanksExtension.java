package io.jgloo.testkit;

import io.jgloo.ProcessGroup;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/** Runs the methods of {@link Ranks} tests once per rank. */
final class RanksExtension implements TestTemplateInvocationContextProvider {

  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return AnnotationSupport.isAnnotated(context.getRequiredTestMethod(), Ranks.class);
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext context) {
    Method test = context.getRequiredTestMethod();
    Ranks ranks = test.getAnnotation(Ranks.class);
    return IntStream.of(ranks.value()).mapToObj(size -> new Invocation(size, ranks, test));
  }

  /** A method to be called with the group of each rank. */
  private record RankMethod(Method method, Object target, List<@Nullable Object> arguments) {

    void call(ProcessGroup group) {
      Object[] all = arguments.toArray();
      for (int i = 0; i < all.length; i++) {
        if (method.getParameterTypes()[i] == ProcessGroup.class) {
          all[i] = group;
        }
      }
      ReflectionSupport.invokeMethod(method, target, all);
    }
  }

  /** One test, with its number of ranks. */
  private static final class Invocation
      implements TestTemplateInvocationContext, ParameterResolver, InvocationInterceptor {

    private final int size;
    private final Ranks ranks;
    private final LocalRanks local;
    private final List<RankMethod> before = new ArrayList<>();

    Invocation(int size, Ranks ranks, Method test) {
      this.size = size;
      this.ranks = ranks;
      local = LocalRanks.of(size).deadline(Duration.ofSeconds(ranks.deadlineSeconds()));
      AnnotationSupport.findAnnotation(test, Simulated.class)
          .or(() -> AnnotationSupport.findAnnotation(test.getDeclaringClass(), Simulated.class))
          .ifPresent(simulated -> local.simulated(simulated.seed(), simulated.seeds()));
    }

    @Override
    public String getDisplayName(int index) {
      return size == 1 ? "1 rank" : size + " ranks";
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
      return List.of(this);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      Class<?> type = parameter.getParameter().getType();
      return type == ProcessGroup.class || type == Faults.class;
    }

    /** Each rank's group takes the place of null. */
    @Override
    public @Nullable Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return argument(parameter.getParameter());
    }

    private @Nullable Object argument(Parameter parameter) {
      return parameter.getType() == Faults.class ? local.faults() : null;
    }

    private static boolean isOfEachRank(Method method) {
      return Arrays.asList(method.getParameterTypes()).contains(ProcessGroup.class);
    }

    @Override
    public void interceptBeforeEachMethod(
        InvocationInterceptor.Invocation<@Nullable Void> invocation,
        ReflectiveInvocationContext<Method> call,
        ExtensionContext context)
        throws Throwable {
      if (isOfEachRank(call.getExecutable())) {
        before.add(method(call));
        invocation.skip();
      } else {
        invocation.proceed();
      }
    }

    /** Those of each rank have been run by the ranks. */
    @Override
    public void interceptAfterEachMethod(
        InvocationInterceptor.Invocation<@Nullable Void> invocation,
        ReflectiveInvocationContext<Method> call,
        ExtensionContext context)
        throws Throwable {
      if (isOfEachRank(call.getExecutable())) {
        invocation.skip();
      } else {
        invocation.proceed();
      }
    }

    private static RankMethod method(ReflectiveInvocationContext<Method> call) {
      return new RankMethod(
          call.getExecutable(), call.getTarget().orElseThrow(), call.getArguments());
    }

    @Override
    public void interceptTestTemplateMethod(
        InvocationInterceptor.Invocation<@Nullable Void> invocation,
        ReflectiveInvocationContext<Method> call,
        ExtensionContext context)
        throws Throwable {
      RankMethod test = method(call);
      invocation.skip();
      if (ranks.processes()) {
        Duration deadline = Duration.ofSeconds(ranks.deadlineSeconds());
        new RankProcesses(size, deadline, local.seed(), test.method()).run();
        return;
      }
      List<RankMethod> after = afterEach(context);
      try {
        local
            .concurrent(context.getExecutionMode() == ExecutionMode.CONCURRENT)
            .run(group -> runAll(group, test, after));
      } catch (AssertionError e) {
        Throwable cause = e.getCause();
        if (cause != null
            && cause.getClass().getName().equals("org.opentest4j.TestAbortedException")) {
          throw cause;
        }
        throw e;
      }
    }

    private void runAll(ProcessGroup group, RankMethod test, List<RankMethod> after) {
      Throwable failure = null;
      try {
        before.forEach(each -> each.call(group));
        test.call(group);
      } catch (Throwable e) {
        failure = e;
        throw e;
      } finally {
        for (RankMethod each : after) {
          callAfter(group, each, failure);
        }
      }
    }

    private static void callAfter(
        ProcessGroup group, RankMethod after, @Nullable Throwable failure) {
      try {
        after.call(group);
      } catch (RuntimeException | Error e) {
        if (failure == null) {
          throw e;
        }
        failure.addSuppressed(e);
      }
    }

    /** The methods of each rank, those of the innermost class first. */
    private List<RankMethod> afterEach(ExtensionContext context) {
      List<RankMethod> found = new ArrayList<>();
      List<Object> instances =
          new ArrayList<>(context.getRequiredTestInstances().getAllInstances());
      Collections.reverse(instances);
      for (Object instance : instances) {
        List<Method> methods =
            AnnotationSupport.findAnnotatedMethods(
                instance.getClass(), AfterEach.class, HierarchyTraversalMode.BOTTOM_UP);
        for (Method method : methods) {
          if (isOfEachRank(method)) {
            List<@Nullable Object> arguments = new ArrayList<>();
            for (Parameter parameter : method.getParameters()) {
              arguments.add(argument(parameter));
            }
            found.add(new RankMethod(method, instance, arguments));
          }
        }
      }
      return found;
    }
  }
}
