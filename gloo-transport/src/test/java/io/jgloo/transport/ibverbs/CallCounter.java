package io.jgloo.transport.ibverbs;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts the calls of an implementation of verbs; polls that find nothing by themselves. */
final class CallCounter implements InvocationHandler {

  private static final String EMPTY_POLL = "empty poll";

  private final Verbs counted;
  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

  CallCounter(Verbs counted) {
    this.counted = counted;
  }

  Verbs verbs() {
    return (Verbs)
        Proxy.newProxyInstance(Verbs.class.getClassLoader(), new Class<?>[] {Verbs.class}, this);
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    Object result;
    try {
      result = method.invoke(counted, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    boolean empty = method.getName().equals("poll") && result.equals(0);
    counts.computeIfAbsent(empty ? EMPTY_POLL : method.getName(), n -> new LongAdder()).increment();
    return result;
  }

  /** Calls so far, by name, of those that were made. */
  Map<String, Long> counts() {
    Map<String, Long> copy = new TreeMap<>();
    counts.forEach((name, count) -> copy.put(name, count.sum()));
    return copy;
  }

  void reset() {
    counts.clear();
  }
}
