package io.jgloo.transport.ibverbs.verbs;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the calls of an implementation of verbs; by themselves polls that find nothing, and sends
 * that move nothing.
 */
final class CallCounter implements InvocationHandler {

  private static final String EMPTY_POLL = "empty poll";
  private static final String NUDGE = "nudge";

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
    String name = method.getName();
    boolean nudge =
        name.equals("postSend") && movesNothing((long) arguments[1]); // while it is there
    Object result;
    try {
      result = method.invoke(counted, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    boolean empty = name.equals("poll") && result.equals(0);
    String counter = nudge ? NUDGE : empty ? EMPTY_POLL : name;
    counts.computeIfAbsent(counter, n -> new LongAdder()).increment();
    return result;
  }

  /** Whether a chain of sends is a single write of no bytes. */
  private static boolean movesNothing(long first) {
    return SendWork.next(first) == 0
        && SendWork.opcode(first) == SendWork.RDMA_WRITE
        && SendWork.length(first) == 0;
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
