package io.jgloo.rpc.message;

import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.MessengerOptions;
import io.jgloo.rpc.agent.PeerListener;
import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.codec.Message;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.JGlooException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/** The messengers of one group in this JVM. */
final class Messengers implements AutoCloseable {

  static final MessengerOptions OPTIONS =
      MessengerOptions.builder()
          .device("tcp", DeviceOptions.DEFAULTS.with("bind", "127.0.0.1"))
          .build();

  private final int size;
  private final HashStore store = new HashStore();
  private final List<Messenger> all = new ArrayList<>();
  private final List<BlockingQueue<Throwable>> losses = new ArrayList<>();

  Messengers(int size) {
    this.size = size;
  }

  /** Starts all of them. */
  void start(MessengerOptions options, Consumer<Messenger> setUp) throws Exception {
    List<CompletableFuture<Void>> starts = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      Messenger messenger = new Messenger("m" + rank, rank, size, store, options);
      BlockingQueue<Throwable> lost = new LinkedBlockingQueue<>();
      all.add(messenger);
      losses.add(lost);
      setUp.accept(messenger);
      messenger.listen(
          new PeerListener() {
            @Override
            public void lost(AgentId peer, JGlooException cause) {
              lost.add(cause);
            }
          });
      starts.add(CompletableFuture.runAsync(messenger::start, task -> new Thread(task).start()));
    }
    for (CompletableFuture<Void> start : starts) {
      start.get(40, TimeUnit.SECONDS);
    }
  }

  Messenger get(int rank) {
    return all.get(rank);
  }

  /** Why the peers of a rank were lost, as it happens. */
  BlockingQueue<Throwable> losses(int rank) {
    return losses.get(rank);
  }

  Outcome request(int from, int to, int service, Message message, Priority priority, long millis) {
    Messenger sender = all.get(from);
    Outcome outcome = new Outcome();
    long deadline = sender.clock().nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    outcome.call(
        sender.request(
            sender.agent(to).orElseThrow(), service, message, priority, deadline, outcome));
    return outcome;
  }

  /** Sends a message of any bytes in the session with a peer. */
  void sendRaw(int from, int to, byte[] bytes) {
    MessengerState core = all.get(from).directory().core;
    AgentId peer = all.get(from).agent(to).orElseThrow();
    core.events.run(
        () -> core.submit(peer, new Outbound(bytes, bytes.length, Priority.HIGH, false)));
  }

  /** Loses and repeats frames from now on, each of these percentages. */
  void lose(int lost, int repeated) {
    for (int rank = 0; rank < size; rank++) {
      SplittableRandom random = new SplittableRandom(5);
      copies(
          rank,
          () -> {
            int draw = random.nextInt(100);
            return (draw < lost ? 0 : 1) + (draw >= 100 - repeated ? 1 : 0);
          });
    }
  }

  /** Sends each frame of an agent as often as is said then. */
  void copies(int from, IntSupplier times) {
    MessengerState core = all.get(from).directory().core;
    PeerSessions links = core.links;
    core.events.run(
        () ->
            links.outlet(
                outlet ->
                    (rank, frame, length) -> {
                      int copies = times.getAsInt();
                      for (int i = 0; i < copies; i++) {
                        outlet.send(rank, frame, length);
                      }
                      if (copies == 0) {
                        core.events.add(() -> links.sent(rank));
                      }
                    }));
  }

  @Override
  public void close() {
    all.forEach(Messenger::close);
    store.close();
  }
}
