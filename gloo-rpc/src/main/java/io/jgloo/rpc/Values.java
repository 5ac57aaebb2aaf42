package io.jgloo.rpc;

import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Codec;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.codec.MessageWriter;
import io.jgloo.rpc.rref.protocol.Event;
import io.jgloo.rpc.rref.protocol.Outcome;
import io.jgloo.rpc.rref.protocol.Owned;
import io.jgloo.rpc.rref.protocol.RRefId;
import io.jgloo.rpc.rref.protocol.Reason;
import io.jgloo.transport.OperationTimeoutException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The values of this agent's own references, for its own threads.
 *
 * <p><i>Threads</i>: any.
 */
final class Values {

  private final RRefs refs;

  /** Threads of this agent that wait until a value is set. */
  private final Map<RRefId, CompletableFuture<Void>> waiters = new ConcurrentHashMap<>();

  Values(RRefs refs) {
    this.refs = refs;
  }

  /** A function has ended. */
  void set(RRefId ref, Outcome outcome) {
    refs.tables().apply(new Event.ValueSet(ref, outcome));
    wake(ref);
  }

  /** The last handle of all agents is gone. */
  void dropped(RRefId ref, Outcome outcome) {
    discarded(outcome);
    wake(ref);
  }

  /** Nothing refers to the outcome any more. */
  void discarded(Outcome outcome) {
    if (outcome instanceof Outcome.Value value) {
      ((Stored) value.value()).release();
    }
  }

  private void wake(RRefId ref) {
    CompletableFuture<Void> waiter = waiters.isEmpty() ? null : waiters.remove(ref);
    if (waiter != null) {
      waiter.complete(null);
      refs.messenger().wakeup();
    }
  }

  private Outcome outcome(RRefId ref) {
    return refs.tables()
        .read(
            tables -> {
              Owned owned = tables.owners().get(ref);
              return owned == null ? new Outcome.Refused(Reason.CLOSED) : owned.outcome();
            });
  }

  <T> T read(RRefId ref, Codec<T> codec, long deadlineNanos) {
    Outcome outcome = outcome(ref);
    while (outcome == null) {
      CompletableFuture<Void> waiter =
          waiters.computeIfAbsent(ref, absent -> new CompletableFuture<>());
      boolean ended = outcome(ref) != null || refs.agent().await(waiter, deadlineNanos);
      outcome = outcome(ref);
      if (outcome == null && !ended) {
        throw new OperationTimeoutException(
            "the value of " + ref + " was not set before the deadline", List.of());
      }
    }
    Stored stored = (Stored) refs.valueOf(outcome, ref, ref, null);
    if (!stored.type().equals(codec.type())) {
      throw new IllegalStateException(
          "the value of " + ref + " is of type " + stored.type() + ", not " + codec.type());
    }
    @SuppressWarnings("unchecked") // the types are the same
    T value = (T) stored.value();
    return value;
  }

  /**
   * A value at its owner, and how it travels.
   *
   * <p><i>Threads</i>: any. <i>Owns</i>: the value; an {@link AutoCloseable} is closed when the
   * value is dropped and no message reads it any more.
   */
  static final class Stored {

    private static final Logger LOG = System.getLogger(Values.class.getName());

    private final RpcAgent agent;
    private final Object value;
    private final Codec<?> codec;

    /** Whether writing it is quick enough for the thread that moves messages. */
    private final boolean direct;

    /** The table, and messages that read the value. */
    private final AtomicInteger pins = new AtomicInteger(1);

    <T> Stored(RpcAgent agent, T value, Codec<T> codec, boolean direct) {
      this.agent = agent;
      this.value = value;
      this.codec = codec;
      this.direct = direct;
    }

    Object value() {
      return value;
    }

    /** Name of its type. */
    String type() {
      return codec.type();
    }

    boolean isDirect() {
      return direct;
    }

    void pin() {
      pins.incrementAndGet();
    }

    /** Code of users must not run in the thread that moves messages. */
    void release() {
      if (pins.decrementAndGet() == 0 && value instanceof AutoCloseable closeable) {
        agent.run(() -> close(closeable));
      }
    }

    private static void close(AutoCloseable closeable) {
      try {
        closeable.close();
      } catch (Throwable e) { // code of users; the value is gone all the same
        LOG.log(Level.WARNING, "a value of a remote reference failed to close", e);
      }
    }

    /** Writes the value. Its blocks are lent to the message, not copied: they stay the value's. */
    Message write(OutgoingForks forks) {
      MessageWriter out = new MessageWriter(64);
      out.attach(forks);
      write(codec, value, out);
      Message message = out.message();
      if (message.blocks().isEmpty()) {
        return message;
      }
      List<Block> lent = new ArrayList<>();
      for (Block block : message.blocks()) {
        pin();
        lent.add(Block.of(block.address(), block.length(), this::release));
      }
      return Message.of(message.bytes(), message.offset(), message.length(), lent);
    }

    @SuppressWarnings("unchecked") // value and codec came together
    private static <T> void write(Codec<T> codec, Object value, MessageWriter out) {
      codec.write((T) value, out);
    }
  }
}
