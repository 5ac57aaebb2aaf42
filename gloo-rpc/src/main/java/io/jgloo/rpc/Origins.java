package io.jgloo.rpc;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where the open handles were made, if {@link RpcOptions#creationStacks} says so.
 *
 * <p><i>Threads</i>: any.
 */
final class Origins {

  private static final int MOST_FRAMES = 24;

  private final boolean recorded;
  private final Map<Handle, Throwable> stacks = new ConcurrentHashMap<>();

  Origins(boolean recorded) {
    this.recorded = recorded;
  }

  void opened(Handle handle) {
    if (recorded) {
      stacks.put(handle, new Throwable());
    }
  }

  void closed(Handle handle) {
    if (recorded) {
      stacks.remove(handle);
    }
  }

  /**
   * Where the open handles of one id were made, as text; empty if that is not recorded.
   *
   * @param id a fork, or a reference for its handles at the owner
   */
  String of(Object id) {
    StringBuilder text = new StringBuilder();
    stacks.forEach(
        (handle, stack) -> {
          if (id.equals(handle.id())) {
            append(text, stack);
          }
        });
    return text.toString();
  }

  private static void append(StringBuilder text, Throwable stack) {
    text.append("; it was made");
    StackTraceElement[] frames = stack.getStackTrace();
    for (int i = 1; i < Math.min(frames.length, MOST_FRAMES); i++) { // 0 is this class
      text.append("\n    at ").append(frames[i]);
    }
  }
}
