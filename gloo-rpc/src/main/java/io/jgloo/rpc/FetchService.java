package io.jgloo.rpc;

import io.jgloo.rpc.codec.CodecException;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.codec.MessageReader;
import io.jgloo.rpc.message.IncomingRequest;
import io.jgloo.rpc.message.RequestHandler;
import io.jgloo.rpc.rref.protocol.Effect;
import io.jgloo.rpc.rref.protocol.ForkId;
import io.jgloo.rpc.rref.protocol.Message.Fetch;
import io.jgloo.rpc.rref.protocol.Message.FetchReply;
import io.jgloo.rpc.rref.protocol.Outcome;
import io.jgloo.rpc.rref.protocol.RRefId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The owner's end of FETCH: a request waits here until the value is set; {@link Fetches} has the
 * layout.
 *
 * <p><i>Threads</i>: the one that runs the agent's events, and workers.
 */
final class FetchService implements RequestHandler {

  private record Parked(IncomingRequest request, String type) {}

  private final RRefs refs;

  /** By a ticket of this agent: the caller's may repeat those of others. */
  private final Map<Long, Parked> parked = new ConcurrentHashMap<>();

  private final AtomicLong tickets = new AtomicLong(1);

  FetchService(RRefs refs) {
    this.refs = refs;
  }

  int size() {
    return parked.size();
  }

  @Override
  public void received(IncomingRequest request) {
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
    } catch (CodecException e) {
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
        request.reply(Fetches.THROWN, (Message) thrown.error());
      } else {
        byte reason = ControlCodec.number(((Outcome.Refused) reply.outcome()).reason());
        request.reply(Fetches.REFUSED, Message.of(new byte[] {reason}));
      }
    }
  }

  private void answer(IncomingRequest request, Stored stored) {
    try {
      if (request.begin()) {
        OutgoingForks forks = new OutgoingForks(refs, request.from());
        Message message;
        int status = Fetches.VALUE;
        try {
          message = stored.write(forks);
        } catch (Throwable e) { // code of users
          forks.dropped();
          message = RemoteCallException.failure(e);
          status = Fetches.THROWN;
        }
        request.reply(status, message);
        forks.replied(request.deadlineNanos());
      }
    } finally {
      stored.release();
    }
  }
}
