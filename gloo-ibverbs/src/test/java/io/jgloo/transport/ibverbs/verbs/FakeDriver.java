package io.jgloo.transport.ibverbs.verbs;

import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import io.jgloo.transport.memory.Memory;

/**
 * An object whose context's table leads to functions of the C library, chosen for the shape of
 * their arguments: no device is needed to call them.
 *
 * <p>The object's bytes are what those functions read: a pointer, then a text.
 */
final class FakeDriver implements AutoCloseable {

  // struct ibv_context
  private static final int CONTEXT_BYTES = 320;
  private static final int POLL = 96;
  private static final int REQUEST_EVENT = 104;
  private static final int POST_SEND = 208;
  private static final int POST_RECEIVE = 216;

  private static final int OBJECT_BYTES = 64;

  final long object;
  private final long context;

  FakeDriver(String send, String receive, String poll, String request) {
    context = Memory.allocate(CONTEXT_BYTES, Long.BYTES);
    Memory.setZero(context, CONTEXT_BYTES);
    put(POST_SEND, send);
    put(POST_RECEIVE, receive);
    put(POLL, poll);
    put(REQUEST_EVENT, request);
    object = Memory.allocate(OBJECT_BYTES, Long.BYTES);
    Memory.setZero(object, OBJECT_BYTES);
    Memory.putLong(object, context);
  }

  private void put(int offset, String function) {
    Memory.putLong(
        context + offset,
        Pointer.nativeValue(NativeLibrary.getInstance("c").getFunction(function)));
  }

  @Override
  public void close() {
    Memory.free(object);
    Memory.free(context);
  }
}
