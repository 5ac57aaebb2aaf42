package io.jgloo.rpc;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.codec.Codec;
import io.jgloo.rpc.codec.Codecs;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The methods of an interface as functions: {@code Counter.add} of {@code interface Counter}.
 *
 * <p>The first argument is the reference of an object at the callee, or absent for the service that
 * the callee has registered.
 */
final class Stubs {

  private Stubs() {}

  private static boolean isAsync(Method method) {
    return CompletionStage.class.isAssignableFrom(method.getReturnType());
  }

  private static Map<Method, RpcFunction<Object[], Object>> functions(Class<?> type) {
    if (!type.isInterface()) {
      throw new IllegalArgumentException("type must be an interface, but is " + type.getName());
    }
    Map<Method, RpcFunction<Object[], Object>> functions = new HashMap<>();
    Map<String, Method> names = new HashMap<>();
    for (Method method : type.getMethods()) {
      if (!Modifier.isAbstract(method.getModifiers())) {
        continue;
      }
      String name = type.getSimpleName() + "." + method.getName();
      if (names.put(name, method) != null) {
        throw new IllegalArgumentException(
            "interface " + type.getName() + " has two methods of name " + method.getName());
      }
      Type[] parameters = method.getGenericParameterTypes();
      Codec<?>[] codecs = new Codec<?>[parameters.length + 1];
      codecs[0] = Codecs.optional(RRefs.codec(Codecs.local(type)));
      for (int i = 0; i < parameters.length; i++) {
        codecs[i + 1] = codec(parameters[i]);
      }
      Type result = method.getGenericReturnType();
      if (isAsync(method)) {
        result =
            result instanceof ParameterizedType generic
                ? generic.getActualTypeArguments()[0]
                : Object.class;
      }
      functions.put(method, new RpcFunction<>(name, Codecs.tuple(codecs), codec(result)));
    }
    return functions;
  }

  @SuppressWarnings("unchecked") // a value of another type fails in the codec
  private static Codec<Object> codec(Type type) {
    if (type instanceof ParameterizedType generic && generic.getRawType() == RRef.class) {
      Type value = generic.getActualTypeArguments()[0];
      boolean stays = value instanceof Class<?> raw && raw.isInterface();
      Codec<?> inner = stays ? Codecs.local((Class<?>) value) : Codecs.derived(value);
      return (Codec<Object>) (Codec<?>) RRefs.codec(inner);
    }
    return (Codec<Object>) Codecs.derived(type);
  }

  /**
   * @param implementation the service; null if there are objects only
   */
  static <T> RpcRegistry register(RpcRegistry to, Class<T> type, @Nullable T implementation) {
    functions(type)
        .forEach(
            (method, function) ->
                to.add(
                    new RpcRegistry.Entry<>(
                        function,
                        (context, values) -> invoke(type, implementation, method, values),
                        RpcRegistry.Execution.WORKER,
                        isAsync(method))));
    return to;
  }

  @SuppressWarnings("NullAway") // a method may return null
  private static <T> Object invoke(
      Class<T> type, @Nullable T implementation, Method method, Object[] values) throws Exception {
    @SuppressWarnings("unchecked") // by the codec
    Optional<RRef<T>> object = (Optional<RRef<T>>) values[0];
    T target = implementation;
    if (object.isPresent()) {
      try (RRef<T> ref = object.get()) {
        target = ref.localValue();
      }
    }
    if (target == null) {
      throw new IllegalStateException("there is no service " + type.getSimpleName());
    }
    Object[] arguments = new Object[values.length - 1];
    System.arraycopy(values, 1, arguments, 0, arguments.length);
    method.setAccessible(true);
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  /**
   * @param object the object, or null for the service
   */
  static <T> T of(RpcAgent agent, Class<T> type, Supplier<AgentId> to, @Nullable RRef<T> object) {
    Map<Method, RpcFunction<Object[], Object>> functions = functions(type);
    Object made =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              RpcFunction<Object[], Object> function = functions.get(method);
              if (function == null) {
                return ownMethod(proxy, method, arguments, type, to);
              }
              int count = arguments == null ? 0 : arguments.length;
              Object[] values = new Object[count + 1];
              values[0] = Optional.ofNullable(object);
              if (count > 0) {
                System.arraycopy(arguments, 0, values, 1, count);
              }
              if (!isAsync(method)) {
                return agent.rpcSync(to.get(), function, values);
              }
              CompletableFuture<Object> later = agent.rpcAsync(to.get(), function, values);
              return later;
            });
    return type.cast(made);
  }

  private static Object ownMethod(
      Object proxy, Method method, Object[] arguments, Class<?> type, Supplier<AgentId> to)
      throws Throwable {
    return switch (method.getName()) {
      case "hashCode" -> System.identityHashCode(proxy);
      case "equals" -> proxy == arguments[0];
      case "toString" -> type.getSimpleName() + " of agent " + to.get();
      default ->
          throw new UnsupportedOperationException(
              method + " is not abstract: it has a body here, which a stub does not run");
    };
  }
}
