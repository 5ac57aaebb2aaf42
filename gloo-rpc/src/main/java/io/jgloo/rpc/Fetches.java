package io.jgloo.rpc;

import io.jgloo.rpc.Values.Stored;
import io.jgloo.rpc.agent.NotExecutedException;
import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.codec.Codec;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.codec.MessageReader;
import io.jgloo.rpc.codec.MessageWriter;
import io.jgloo.rpc.message.IncomingRequest;
import io.jgloo.rpc.message.PendingCall;
import io.jgloo.rpc.message.ReplyHandler;
import io.jgloo.rpc.rref.protocol.Effect;
import io.jgloo.rpc.rref.protocol.Event;
import io.jgloo.rpc.rref.protocol.ForkId;
import io.jgloo.rpc.rref.protocol.Message.Fetch;
import io.jgloo.rpc.rref.protocol.Message.FetchReply;
import io.jgloo.rpc.rref.protocol.Outcome;
import io.jgloo.rpc.rref.protocol.RRefId;
import io.jgloo.transport.InterruptedOperationException;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.OperationTimeoutException;
import io.jgloo.transport.ProtocolException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * FETCH, at the user and at the owner: a request of the messenger, which waits at the owner until
 * the value is set.
 *
 * <pre>
 *   request  i64 number of the fork, agent that made it, i64 number of the ref, agent that made it,
 *            string type of the value
 *   reply    status 0: value; status 1: failure; status 2: i8 reason
 * </pre>
 *
 * <p><i>Threads</i>: any.
 */
final class Fetches implements Consumer<IncomingRequest> {

  static final int VALUE = 0;
  static final int THROWN = 1;
  static final int REFUSED = 2;

  /** One fetch and the thread that waits for it. */
  private final class Asked implements ReplyHandler {
    private final Fetch message;
    private final String type;
    private final long deadlineNanos;
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    private volatile @Nullable PendingCall call;

    Asked(Fetch message, String type, long deadlineNanos) {
      this.message = message;
      this.type = type;
      this.deadlineNanos = deadlineNanos;
    }

    private void send() {
      ForkId fork = message.fork();
      MessageWriter out = new MessageWriter(64);
      out.putLong(fork.number());
      ControlCodec.writeAgent(fork.creator(), out);
      out.putLong(fork.ref().number());
      ControlCodec.writeAgent(fork.ref().creator(), out);
      out.putString(type);
      call =
          refs.messenger()
              .request(
                  fork.owner(),
                  RRefs.FETCH_SERVICE,
                  out.message(),
                  Priority.NORMAL,
                  deadlineNanos,
                  this);
    }

    @Override
    public void replied(int status, Message reply) {
      ForkId fork = message.fork();
      Outcome result;
      try {
        result =
            switch (status) {
              case VALUE -> new Outcome.Value(reply);
              case THROWN -> new Outcome.Thrown(reply);
              default -> new Outcome.Refused(ControlCodec.readReason(new MessageReader(reply)));
            };
      } catch (ProtocolException e) {
        failed(new NotExecutedException("a malformed reply: " + e.getMessage(), e));
        return;
      }
      FetchReply event = new FetchReply(fork, message.ticket(), result);
      List<Effect> effects = refs.received(fork.owner(), event);
      if (effects.stream().noneMatch(Effect.Deliver.class::isInstance)) {
        reply.close();
      }
    }

    @Override
    public void failed(JGlooException cause) {
      refs.lostIfGone(message.fork().owner());
      outcome.completeExceptionally(cause);
      refs.tables().apply(new Event.FetchAbandoned(message.fork(), message.ticket()));
    }

    /** Ends the fetch for the thread that waits; false if it has ended before. */
    private boolean end(Outcome result) {
      return outcome.complete(result);
    }

    private void giveUp(JGlooException cause) {
      if (outcome.completeExceptionally(cause)) {
        refs.tables().apply(new Event.FetchAbandoned(message.fork(), message.ticket()));
        PendingCall sent = call;
        if (sent != null) {
          sent.cancel();
        }
      }
    }

    private OperationTimeoutException late() {
      return new OperationTimeoutException(
          "the value of " + message.fork() + " did not come before the deadline",
          List.of(message.fork().owner().rank()));
    }

    /** The outcome; to be called when it is there. */
    private Outcome get() {
      try {
        return outcome.join();
      } catch (CompletionException e) {
        boolean passed = refs.messenger().clock().nanoTime() - deadlineNanos >= 0;
        boolean given = !(e.getCause() instanceof InterruptedOperationException);
        throw passed && given
            ? late()
            : Objects.requireNonNull((JGlooException) e.getCause())
                .again("the value of " + message.fork());
      }
    }
  }

  private final RRefs refs;
  private final Map<Long, Asked> fetches = new ConcurrentHashMap<>();
  private final AtomicLong tickets = new AtomicLong(1);

  Fetches(RRefs refs) {
    this.refs = refs;
  }

  <T> T read(ForkId fork, Codec<T> codec, long deadlineNanos) {
    long ticket = tickets.getAndIncrement();
    Asked fetch = new Asked(new Fetch(fork, ticket), codec.type(), deadlineNanos);
    fetches.put(ticket, fetch);
    try {
      refs.tables().apply(new Event.FetchAsked(fork, ticket));
      if (!refs.agent().await(fetch.outcome, deadlineNanos)) {
        fetch.giveUp(fetch.late());
      }
    } catch (JGlooException e) { // interrupted, or too many bodies wait
      fetch.giveUp(e);
    } finally {
      fetches.remove(ticket);
    }
    return value(fetch.get(), fetch, codec);
  }

  private <T> T value(Outcome outcome, Asked fetch, Codec<T> codec) {
    ForkId fork = fetch.message.fork();
    JGlooException cause = refs.creations.cause(fork);
    var reply = (Message) refs.valueOf(outcome, fork.ref(), fork, cause);
    try {
      return refs.readValue(fork.owner(), codec, reply, fetch.deadlineNanos);
    } catch (RuntimeException | Error e) {
      reply.close();
      throw e;
    }
  }

  // Effects.

  void send(Fetch message) {
    Asked fetch = fetches.get(message.ticket());
    if (fetch != null) {
      fetch.send();
    }
  }

  void deliver(long ticket, Outcome outcome) {
    Asked fetch = fetches.get(ticket);
    boolean taken = fetch != null && fetch.end(outcome);
    if (taken) {
      refs.messenger().wakeup();
    } else if (outcome instanceof Outcome.Value value) {
      ((Message) value.value()).close();
    }
  }

  int size() {
    return fetches.size();
  }

  // At the owner.

  private record Parked(IncomingRequest request, String type) {}

  /** By a ticket of this agent: the caller's may repeat those of others. */
  private final Map<Long, Parked> parked = new ConcurrentHashMap<>();

  int parkedSize() {
    return parked.size();
  }

  @Override
  public void accept(IncomingRequest request) {
    ForkId fork;
    String type;
    try {
      MessageReader in = new MessageReader(request.message());
      long number = ControlCodec.readNumber(in);
      var creator = ControlCodec.readAgent(in);
      long refNumber = ControlCodec.readNumber(in);
      RRefId ref = new RRefId(refs.self(), ControlCodec.readAgent(in), refNumber);
      fork = new ForkId(ref, creator, request.from(), number);
      type = in.getString();
      in.end();
    } catch (ProtocolException e) {
      refs.rejected(request.from(), "a fetch: " + e.getMessage());
      request.refuse(String.valueOf(e.getMessage()));
      return;
    }
    long ticket = tickets.getAndIncrement();
    parked.put(ticket, new Parked(request, type));
    List<Effect> effects = refs.received(request.from(), new Fetch(fork, ticket));
    if (effects.stream().anyMatch(Effect.Rejected.class::isInstance)) {
      parked.remove(ticket);
      request.refuse("it names no fork of the caller");
    }
  }

  /** Forgets requests whose callers have given up: the value may never come. */
  void sweep(long now) {
    parked
        .values()
        .removeIf(
            waiting -> {
              if (now - waiting.request.deadlineNanos() >= 0) {
                waiting.request.refuse("its deadline passed");
              }
              return waiting.request.isEnded();
            });
  }

  /** Carries out the effect that answers a fetch. */
  void reply(FetchReply reply) {
    Parked waiting = parked.remove(reply.ticket());
    if (waiting == null) {
      return;
    }
    IncomingRequest request = waiting.request;
    if (reply.outcome() instanceof Outcome.Value value) {
      Stored stored = (Stored) value.value();
      if (!stored.type().equals(waiting.type)) {
        String why = "the value is of type " + stored.type() + ", not " + waiting.type;
        refs.rejected(request.from(), "a fetch: " + why);
        request.refuse(why);
        return;
      }
      stored.pin();
      Runnable answer = () -> answer(request, stored);
      if (stored.isDirect()) {
        answer.run();
      } else if (!refs.agent().execute(answer)) {
        stored.release();
      }
    } else if (request.begin()) {
      if (reply.outcome() instanceof Outcome.Thrown thrown) {
        request.reply(THROWN, (Message) thrown.error());
      } else {
        byte reason = ControlCodec.number(((Outcome.Refused) reply.outcome()).reason());
        request.reply(REFUSED, Message.of(new byte[] {reason}));
      }
    }
  }

  private void answer(IncomingRequest request, Stored stored) {
    try {
      if (request.begin()) {
        OutgoingForks forks = new OutgoingForks(refs, request.from());
        Message message;
        int status = VALUE;
        try {
          message = stored.write(forks);
        } catch (Throwable e) { // code of users
          forks.dropped();
          message = RemoteCallException.failure(e);
          status = THROWN;
        }
        request.reply(status, message);
        forks.replied(request.deadlineNanos());
      }
    } finally {
      stored.release();
    }
  }
}
