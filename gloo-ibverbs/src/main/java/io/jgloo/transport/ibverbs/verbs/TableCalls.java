package io.jgloo.transport.ibverbs.verbs;

import com.sun.jna.Function;
import com.sun.jna.Pointer;
import io.jgloo.transport.memory.Memory;

/**
 * The driver's functions by their addresses, without libjgloo: 565 ns.
 *
 * <p>JNA boxes each argument of such a call. <i>Threads</i>: any.
 */
final class TableCalls implements DriverCalls {

  private final Entry send = new Entry(Layout.CONTEXT_POST_SEND);
  private final Entry receive = new Entry(Layout.CONTEXT_POST_RECEIVE);
  private final Entry poll = new Entry(Layout.CONTEXT_POLL);
  private final Entry request = new Entry(Layout.CONTEXT_REQUEST_EVENT);

  @Override
  public int postSend(long pair, long first, long refused) {
    long context = Memory.getLong(pair + Layout.PAIR_CONTEXT);
    return send.of(context).invokeInt(new Object[] {pair, first, refused});
  }

  @Override
  public int postReceive(long pair, long first, long refused) {
    long context = Memory.getLong(pair + Layout.PAIR_CONTEXT);
    return receive.of(context).invokeInt(new Object[] {pair, first, refused});
  }

  @Override
  public int poll(long queue, int most, long completions) {
    long context = Memory.getLong(queue + Layout.QUEUE_CONTEXT);
    return poll.of(context).invokeInt(new Object[] {queue, most, completions});
  }

  @Override
  public int requestEvent(long queue) {
    long context = Memory.getLong(queue + Layout.QUEUE_CONTEXT);
    return request.of(context).invokeInt(new Object[] {queue, 0});
  }

  /** A place in every context's table, with the function last found there. */
  private static final class Entry {

    private final int offset;

    /** Devices of one driver have the same function, so this is nearly always the right one. */
    private volatile Function last;

    Entry(int offset) {
      this.offset = offset;
    }

    Function of(long context) {
      long address = Memory.getLong(context + offset);
      Function function = last;
      if (function == null || Pointer.nativeValue(function) != address) {
        function = Function.getFunction(new Pointer(address));
        last = function;
      }
      return function;
    }
  }
}
