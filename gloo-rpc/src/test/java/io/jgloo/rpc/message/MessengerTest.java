package io.jgloo.rpc.message;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.MessengerOptions;
import io.jgloo.rpc.agent.NotExecutedException;
import io.jgloo.rpc.agent.OutcomeUnknownException;
import io.jgloo.rpc.agent.PeerListener;
import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.bytes.LittleEndian;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Message;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.memory.Memory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests and control messages between two messengers of one JVM, over TCP. */
@Timeout(60)
final class MessengerTest {

  private static final int SERVICE = 7;
  private static final int KIND = 3;
  private static final boolean FULL = Boolean.getBoolean("jgloo.test.full");
  private static final int LOSSY_CALLS =
      Integer.getInteger("jgloo.rpc.lossy.calls", FULL ? 100_000 : 20_000);

  private final Messengers messengers = new Messengers(2);
  private final BlockingQueue<IncomingRequest> requests = new LinkedBlockingQueue<>();
  private final BlockingQueue<byte[]> controls = new LinkedBlockingQueue<>();

  private void start(MessengerOptions options) throws Exception {
    messengers.start(
        options,
        messenger -> {
          messenger.serve(SERVICE, requests::add);
          messenger.handle(KIND, (from, content) -> controls.add(content));
        });
  }

  @AfterEach
  void end() {
    messengers.close();
  }

  private Outcome request(Message message) {
    return messengers.request(0, 1, SERVICE, message, Priority.NORMAL, 40_000);
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private IncomingRequest next() throws InterruptedException {
    IncomingRequest request = requests.poll(40, TimeUnit.SECONDS);
    assertTrue(request != null, "no request came");
    return request;
  }

  @Test
  void requestsBeyondTheCredit_waitAtTheSender_andRepliesGoOn() throws Exception {
    start(
        Messengers.OPTIONS.toBuilder()
            .frameBytes(4096)
            .windowBytes(10_000)
            .payloadBytes(1 << 20)
            .maxMessageBytes(1 << 20)
            .build());
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      outcomes.add(request(Message.of(new byte[1000])));
    }
    long held = messengers.get(1).counts().get("requests");
    List<IncomingRequest> first = new ArrayList<>();
    while (first.size() < 9) {
      first.add(next());
    }
    // A request the other way, and its reply, do not wait for credit of this one.
    Outcome back =
        messengers.request(1, 0, SERVICE, Message.of(new byte[1]), Priority.NORMAL, 40_000);
    IncomingRequest other = next();
    assertEquals(1, other.from().rank());
    assertTrue(other.begin());
    other.reply(5, Message.of(new byte[1]));
    assertEquals(5, back.status());
    assertTrue(held <= 9 && messengers.get(1).counts().get("requests") == 9, held + " requests");

    for (IncomingRequest request : first) {
      assertTrue(request.begin());
      request.reply(0, Message.of(new byte[0]));
    }
    for (int i = first.size(); i < 100; i++) {
      IncomingRequest request = next();
      assertTrue(request.begin());
      request.reply(0, Message.of(new byte[0]));
    }
    for (Outcome outcome : outcomes) {
      assertEquals(0, outcome.status());
    }
  }

  /** Ends what was executed, and returns how many requests those were. */
  private int executeAll() throws InterruptedException {
    int executed = 0;
    while (messengers.get(0).counts().get("calls") > 0) {
      IncomingRequest request = requests.poll(10, TimeUnit.MILLISECONDS);
      if (request != null) {
        assertTrue(request.begin());
        request.reply(0, Message.of(new byte[0]));
        executed++;
      }
    }
    return executed;
  }

  /** How many requests were not executed, because there was no room for them. */
  private static int refused(List<Outcome> outcomes) throws Exception {
    int refused = 0;
    for (Outcome outcome : outcomes) {
      if (outcome.get() instanceof NotExecutedException full) {
        assertTrue(full.getMessage().contains("(option queueBytes)"), full::getMessage);
        refused++;
      }
    }
    return refused;
  }

  @Test
  void requestsBeyondTheQueue_areNotExecuted_untilThereIsRoom() throws Exception {
    start(
        Messengers.OPTIONS.toBuilder()
            .frameBytes(4096)
            .windowBytes(10_000)
            .payloadBytes(1 << 20)
            .maxMessageBytes(1 << 20)
            .queueBytes(20_000)
            .build());
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      outcomes.add(request(Message.of(new byte[1000])));
    }
    await(() -> messengers.get(1).counts().get("requests") == 9); // all that has credit
    Messenger sender = messengers.get(0);
    long queued = sender.counts().get("queuedBytes");
    assertTrue(queued > 5_000 && queued <= 20_000, queued + " bytes are queued");
    List<CompletableFuture<Void>> sent = new ArrayList<>();
    for (int i = 0; i < 20; i++) { // more than the queue holds
      sent.add(sender.send(sender.agent(1).orElseThrow(), KIND, new byte[2000]));
    }
    assertEquals(queued, sender.counts().get("queuedBytes"), "control messages have room");
    int executed = executeAll();
    int refused = refused(outcomes);
    assertEquals(100, executed + refused);
    for (CompletableFuture<Void> control : sent) {
      control.get(40, TimeUnit.SECONDS);
    }
    assertTrue(executed >= 10 && executed <= 29, executed + " requests were executed");
    assertEquals(0L, sender.counts().get("queuedBytes"));
    Outcome later = request(Message.of(new byte[1000]));
    assertEquals(1, executeAll());
    assertEquals(0, later.status());
  }

  @Test
  void bodiesLongerThanAFrame_countUntilThePeerHasThem() throws Exception {
    start(
        Messengers.OPTIONS.toBuilder()
            .frameBytes(4096)
            .windowBytes(1 << 20)
            .payloadBytes(100_000)
            .maxMessageBytes(1 << 20)
            .queueBytes(200_000)
            .build());
    Outcome block = request(Message.of(new byte[1], 0, 1, List.of(Block.allocate(200_000))));
    IncomingRequest held = next(); // it has all memory of the receiver
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      outcomes.add(request(Message.of(new byte[60_000])));
    }
    long kept = messengers.get(0).counts().get("queuedBytes");
    assertTrue(kept >= 180_000 && kept <= 200_000, kept + " bytes are kept");
    assertTrue(held.begin());
    held.reply(0, Message.of(new byte[0]));
    held.message().close();
    assertEquals(3, executeAll());
    assertEquals(0, block.status());
    assertEquals(7, refused(outcomes));
    await(() -> messengers.get(0).counts().get("queuedBytes") == 0);
    Outcome large = request(Message.of(new byte[300_000])); // nothing else is kept
    assertEquals(1, executeAll());
    assertEquals(0, large.status());
    await(() -> messengers.get(0).counts().get("queuedBytes") == 0);
  }

  @Test
  void peerThatTakesNoReplies_getsNoFurtherRequestsRun() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger ran = new AtomicInteger();
    AtomicBoolean isCut = new AtomicBoolean();
    messengers.start(
        Messengers.OPTIONS.toBuilder().frameBytes(4096).queueBytes(20_000).build(),
        messenger ->
            messenger.serve(
                SERVICE,
                request -> {
                  awaitUninterrupted(go);
                  assertTrue(request.begin());
                  ran.incrementAndGet();
                  request.reply(0, Message.of(new byte[3000]));
                }));
    messengers.copies(0, () -> isCut.get() ? 0 : 1);
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      outcomes.add(request(Message.of(new byte[1])));
    }
    await(() -> messengers.get(0).counts().get("queuedBytes") == 0);
    isCut.set(true); // the requests are sent; that replies were taken is not heard of
    go.countDown();
    await(() -> ran.get() + messengers.get(1).counts().get("requests") >= 100);
    assertEquals(7, ran.get(), "bodies that have run");
    isCut.set(false);
    for (Outcome outcome : outcomes) {
      assertEquals(0, outcome.status());
    }
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      assertTrue(latch.await(40, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void peerThatIgnoresItsCredit_isLost() throws Exception {
    start(Messengers.OPTIONS.toBuilder().frameBytes(4096).windowBytes(10_000).build());
    Message content = Message.of(new byte[1000]);
    for (long call = 1; call <= 10; call++) { // 1024 bytes each
      byte[] bytes =
          Envelope.withBody(
              Envelope.REQUEST, 0, SERVICE, Envelope.REQUEST_BYTES, content, List.of(), 0, false);
      LittleEndian.putLong(bytes, 4, call);
      LittleEndian.putLong(bytes, 12, TimeUnit.SECONDS.toNanos(40));
      messengers.sendRaw(0, 1, bytes);
    }
    Throwable cause = messengers.losses(1).poll(40, TimeUnit.SECONDS);
    assertInstanceOf(ProtocolException.class, cause);
    assertTrue(cause.getMessage().contains("beyond the credit of 10000 bytes"), cause::toString);
    assertEquals(9, requests.size());
  }

  /** One frame in ten is lost, one in ten is sent twice, in both directions. */
  @Test
  @Timeout(200)
  void rr09_requestsOverALossyNetwork_runOnceEach() throws Exception {
    AtomicLong runs = new AtomicLong(); // the body is not idempotent
    messengers.start(
        Messengers.OPTIONS.toBuilder()
            .frameBytes(4096)
            .windowBytes(1 << 20)
            .payloadBytes(1 << 20)
            .maxMessageBytes(1 << 20)
            .build(),
        messenger ->
            messenger.serve(
                SERVICE,
                request -> {
                  assertTrue(request.begin());
                  runs.incrementAndGet();
                  request.reply(0, request.message());
                }));
    messengers.lose(10, 10);
    ArrayDeque<Outcome> underWay = new ArrayDeque<>();
    for (int i = 0; i < LOSSY_CALLS; i++) {
      if (underWay.size() == 1000) {
        assertEquals(0, underWay.poll().status());
      }
      underWay.add(request(Message.of(new byte[50])));
    }
    for (Outcome outcome : underWay) {
      assertEquals(0, outcome.status());
    }
    assertEquals(LOSSY_CALLS, runs.get());
    Map<String, Long> counts = messengers.get(1).counts();
    assertTrue(counts.get("duplicates") > 0 && counts.get("resent") > 0, "" + counts);
  }

  @Test
  void payloadBeyondTheBudget_isFetchedWhenMemoryIsGivenBack() throws Exception {
    long before = Memory.allocatedBytes();
    start(
        Messengers.OPTIONS.toBuilder()
            .frameBytes(64 << 10)
            .windowBytes(1 << 20)
            .payloadBytes(20 << 20)
            .maxMessageBytes(1L << 30)
            .build());
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Block block = Block.allocate(9 << 20);
      Memory.putLong(block.address() + block.length() - Long.BYTES, i);
      outcomes.add(request(Message.of(new byte[1], 0, 1, List.of(block))));
    }
    for (int i = 0; i < 8; i++) {
      IncomingRequest request = next();
      long held = messengers.get(1).counts().get("arrivalBytes");
      assertTrue(held <= 20 << 20, held + " bytes are held");
      Block block = request.message().blocks().get(0);
      assertEquals(i, Memory.getLong(block.address() + block.length() - Long.BYTES));
      assertTrue(request.begin());
      request.reply(0, request.message()); // the block goes back, and is closed when it has gone
    }
    for (Outcome outcome : outcomes) {
      assertEquals(0, outcome.status());
      outcome.close();
    }
    await(() -> messengers.get(1).counts().get("supplies") == 0);
    messengers.close();
    assertEquals(before, Memory.allocatedBytes());
  }

  @Test
  void requestLongerThanTheLimit_isRefused() throws Exception {
    start(
        Messengers.OPTIONS.toBuilder()
            .frameBytes(4096)
            .windowBytes(1 << 20)
            .payloadBytes(1 << 20)
            .maxMessageBytes(1 << 20)
            .build());
    Block block = Block.allocate(2 << 20);
    Outcome outcome = request(Message.of(new byte[0], 0, 0, List.of(block)));
    assertInstanceOf(NotExecutedException.class, outcome.failure());
    assertEquals(0, requests.size());
    await(() -> messengers.get(0).counts().get("supplies") == 0);
  }

  @Test
  void requestForNoService_isRefused() throws Exception {
    start(Messengers.OPTIONS);
    Outcome outcome = messengers.request(0, 1, 9, Message.of(new byte[8]), Priority.NORMAL, 40_000);
    assertInstanceOf(NotExecutedException.class, outcome.failure());
    assertEquals(1L, messengers.get(1).counts().get("refusals"));
  }

  @Test
  void controlMessages_arriveInOrder_alsoAtTheSenderItself() throws Exception {
    start(Messengers.OPTIONS);
    Messenger sender = messengers.get(0);
    for (AgentId to : List.of(sender.self(), sender.agent(1).orElseThrow())) {
      List<CompletableFuture<Void>> sent = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        sent.add(sender.send(to, KIND, new byte[] {(byte) i, (byte) (i >> 8)}));
      }
      for (int i = 0; i < 1000; i++) {
        sent.get(i).get(40, TimeUnit.SECONDS);
        byte[] content = controls.poll(40, TimeUnit.SECONDS);
        assertArrayEquals(new byte[] {(byte) i, (byte) (i >> 8)}, content);
      }
    }
    assertThrows(
        IllegalArgumentException.class, () -> sender.send(sender.self(), 256, new byte[1]));
    ExecutionException former =
        assertThrows(
            ExecutionException.class,
            () -> sender.send(new AgentId(1, 77), KIND, new byte[1]).get(40, TimeUnit.SECONDS));
    assertInstanceOf(NotExecutedException.class, former.getCause());
  }

  @Test
  void handlerThatThrows_endsNothing() throws Exception {
    AtomicLong failures = new AtomicLong();
    messengers.start(
        Messengers.OPTIONS,
        messenger -> {
          messenger.serve(
              SERVICE,
              request -> {
                throw new IllegalStateException("planted");
              });
          messenger.handle(
              KIND,
              (from, content) -> {
                throw new IllegalStateException("planted");
              });
          messenger.listen(
              new PeerListener() {
                @Override
                public void handlerFailed(AgentId peer, int kind, Throwable cause) {
                  failures.incrementAndGet();
                }
              });
        });
    assertInstanceOf(NotExecutedException.class, request(Message.of(new byte[1])).failure());
    Messenger sender = messengers.get(0);
    sender.send(sender.agent(1).orElseThrow(), KIND, new byte[1]).get(40, TimeUnit.SECONDS);
    await(() -> failures.get() == 1);
    assertInstanceOf(NotExecutedException.class, request(Message.of(new byte[1])).failure());
  }

  @Test
  void replyHandlerThatThrows_endsNothing() throws Exception {
    AtomicInteger outcomes = new AtomicInteger();
    ReplyHandler throwing =
        new ReplyHandler() {
          @Override
          public Block memory(int status, Message head, int index, long length) {
            throw new StackOverflowError("planted");
          }

          @Override
          public void replied(int status, Message reply) {
            outcomes.incrementAndGet();
            throw new StackOverflowError("planted");
          }

          @Override
          public void failed(JGlooException cause) {
            outcomes.incrementAndGet();
            throw new StackOverflowError("planted");
          }
        };
    start(Messengers.OPTIONS);
    Messenger sender = messengers.get(0);
    for (int i = 0; i < 2; i++) {
      long deadline = sender.clock().nanoTime() + TimeUnit.SECONDS.toNanos(40);
      Message content = Message.of(new byte[1]);
      AgentId to = sender.agent(1).orElseThrow();
      sender.request(to, SERVICE, content, Priority.NORMAL, deadline, throwing);
    }
    assertTrue(next().refuse("planted"));
    IncomingRequest second = next();
    assertTrue(second.begin());
    second.reply(0, Message.of(new byte[1], 0, 1, List.of(Block.allocate(100_000))));
    await(() -> outcomes.get() == 2);
    Outcome third = request(Message.of(new byte[1]));
    assertEquals(1, executeAll());
    assertEquals(0, third.status());
  }

  @Test
  void malformedMessage_endsTheLifeOfItsSender_andNothingElse() throws Exception {
    start(Messengers.OPTIONS);
    BlockingQueue<Throwable> losses = messengers.losses(1);
    messengers.sendRaw(0, 1, new byte[] {99, 0, 0, 0});
    assertInstanceOf(ProtocolException.class, losses.poll(40, TimeUnit.SECONDS));
    // The sender hears that it counts as lost, and that its request did not run.
    Outcome outcome = request(Message.of(new byte[1]));
    assertTrue(
        outcome.failure() instanceof NotExecutedException
            || outcome.failure() instanceof OutcomeUnknownException);
    assertEquals(0, requests.size());
  }

  @Test
  void forgedPullsReleasesRepliesAndCancels_changeNothing() throws Exception {
    start(Messengers.OPTIONS);
    Outcome real = request(Message.of(new byte[1], 0, 1, List.of(Block.allocate(64))));
    IncomingRequest request = next();
    for (long id : new long[] {0, 1, -1, Long.MAX_VALUE, 1 << 20}) {
      messengers.sendRaw(1, 0, Envelope.pull(id, 0, 1L << 40, 5, 1));
      messengers.sendRaw(1, 0, Envelope.pull(id, -8, 16, 5, 1));
      byte[] release = Envelope.open(Envelope.RELEASE, 0, 0, Envelope.REPLY_BYTES);
      LittleEndian.putLong(release, 4, id + 100);
      messengers.sendRaw(1, 0, release);
      messengers.sendRaw(1, 0, Envelope.call(Envelope.CANCEL, 0, id));
      messengers.sendRaw(1, 0, Envelope.refusal(id + 1000, "forged"));
    }
    assertTrue(request.begin());
    request.reply(3, Message.of(new byte[1]));
    assertEquals(3, real.status());
    assertTrue(messengers.get(0).counts().get("refusals") >= 5);
    request.message().close();
  }
}
