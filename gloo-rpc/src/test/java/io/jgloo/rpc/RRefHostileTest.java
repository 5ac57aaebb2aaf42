package io.jgloo.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.codec.Codecs;
import io.jgloo.rpc.codec.MessageWriter;
import io.jgloo.rpc.message.ReplyHandler;
import io.jgloo.rpc.rref.protocol.ForkId;
import io.jgloo.rpc.rref.protocol.Message;
import io.jgloo.rpc.rref.protocol.RRefId;
import io.jgloo.transport.JGlooException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** RR25: messages that no honest agent sends are refused, and change no table. */
@Timeout(60)
final class RRefHostileTest {

  private static final RpcFunction<Long, Long> TWICE =
      new RpcFunction<>("twice", Codecs.LONG, Codecs.LONG);

  private final AtomicInteger runs = new AtomicInteger();
  private Agents group;
  private RRef<Long> honest;

  private RpcRegistry functions() {
    return new RpcRegistry()
        .register(
            TWICE,
            (context, value) -> {
              runs.incrementAndGet();
              return 2 * value;
            });
  }

  /** Agent 0 has a value at agent 1; agent 2 is hostile. */
  @BeforeEach
  void start() throws Exception {
    group = new Agents(3, rank -> functions());
    honest = group.refs(0).remote(group.id(1), TWICE, 2L);
    assertEquals(4, honest.toHere());
  }

  @AfterEach
  void end() {
    honest.close();
    group.close();
  }

  private CompletableFuture<Integer> request(int service, MessageWriter out) {
    CompletableFuture<Integer> outcome = new CompletableFuture<>();
    long deadline = group.agent(2).messenger().clock().nanoTime() + Agents.PATIENCE.toNanos();
    group
        .agent(2)
        .messenger()
        .request(
            group.id(1),
            service,
            out.message(),
            Priority.NORMAL,
            deadline,
            new ReplyHandler() {
              @Override
              public void replied(int status, io.jgloo.rpc.codec.Message reply) {
                outcome.complete(status);
              }

              @Override
              public void failed(JGlooException cause) {
                outcome.completeExceptionally(cause);
              }
            });
    return outcome;
  }

  private void assertRefused(int service, MessageWriter out) {
    CompletableFuture<Integer> outcome = request(service, out);
    assertThrows(
        java.util.concurrent.ExecutionException.class, () -> outcome.get(30, TimeUnit.SECONDS));
    assertUnchanged();
  }

  private void assertUnchanged() {
    assertEquals(1, group.count(1, "owners"));
    assertEquals(1, group.count(1, "forks"));
    assertEquals(0, group.count(1, "creations"));
    assertEquals(0, group.count(1, "parkedFetches"));
    assertEquals(1, runs.get());
    assertEquals(4, honest.toHere());
  }

  @Test
  void manyRejections_areCounted_andFewAreLogged() {
    Logger logger = Logger.getLogger(Observations.class.getName());
    AtomicInteger logged = new AtomicInteger();
    logger.setFilter(record -> logged.incrementAndGet() < 0);
    long before = group.count(0, "rejected");
    long begin = System.nanoTime();
    for (int i = 0; i < 10_000; i++) {
      group.refs(0).rejected(group.id(2), "planted");
    }
    long seconds = (System.nanoTime() - begin) / 1_000_000_000 + 2;
    logger.setFilter(null);
    assertEquals(10_000, group.count(0, "rejected") - before);
    assertTrue(logged.get() <= 11 * seconds, () -> logged + " warnings in " + seconds + " s");
  }

  @Test
  void rr25_unknownFunction_isRefused() {
    MessageWriter out = new MessageWriter(64).putLong(0);
    assertRefused(RRefs.REMOTE_SERVICE, out.putLong(0x1234).putInt(0).putLong(1));
  }

  @Test
  void rr25_functionOfOtherTypes_isRefused() {
    MessageWriter out = new MessageWriter(64).putLong(0);
    new RpcFunction<>("twice", Codecs.DOUBLE, Codecs.LONG).writeCall(1.0, out);
    assertRefused(RRefs.REMOTE_SERVICE, out);
  }

  @Test
  void rr25_malformedArguments_areRefused() {
    assertRefused(RRefs.REMOTE_SERVICE, new MessageWriter(8).putInt(1));
    assertRefused(RRefs.REMOTE_SERVICE, new MessageWriter(8).putLong(-1));
    MessageWriter longer = new MessageWriter(64).putLong(0);
    TWICE.writeCall(1L, longer);
    assertRefused(RRefs.REMOTE_SERVICE, longer.putByte(0));
  }

  @Test
  void rr25_fetches_ofForeignForksAndHugeLengths_areRefused() {
    ForkId fork = honest.handle.fork;
    MessageWriter foreign = new MessageWriter(64).putLong(fork.number());
    ControlCodec.writeAgent(fork.creator(), foreign);
    foreign.putLong(fork.ref().number());
    ControlCodec.writeAgent(fork.ref().creator(), foreign);
    foreign.putInt(Integer.MAX_VALUE); // length of the type's name
    assertRefused(RRefs.FETCH_SERVICE, foreign);
    assertRefused(RRefs.FETCH_SERVICE, new MessageWriter(8).putLong(7));
  }

  @Test
  void rr25_fetchOfAnotherType_isRefused() throws Exception {
    ForkId fork = honest.handle.fork;
    JGlooException refused =
        assertThrows(
            JGlooException.class,
            () ->
                group
                    .refs(0)
                    .fetches
                    .read(fork, Codecs.DOUBLE, group.agent(0).deadline(Agents.PATIENCE)));
    assertTrue(refused.getMessage().contains("of type i64, not f64"), refused::getMessage);
    assertUnchanged();
  }

  @Test
  void rr25_forgedControlMessages_areRejected() throws Exception {
    ForkId victim = honest.handle.fork;
    RRefId elsewhere = new RRefId(group.id(0), group.id(2), 0);
    List<Message> forged =
        List.of(
            new Message.UserDelete(victim),
            new Message.ForkRequest(victim),
            new Message.Cancel(victim),
            new Message.ForkReply(victim, null),
            new Message.UserDelete(new ForkId(elsewhere, group.id(2), group.id(2), 0)));
    for (Message message : forged) {
      long before = group.count(1, "rejected");
      send(ControlCodec.encode(message));
      Agents.await(message + " is rejected", () -> group.count(1, "rejected") > before);
      assertUnchanged();
    }
    for (byte[] garbage : List.of(new byte[0], new byte[] {99}, new byte[] {2, 1, 1})) {
      long before = group.count(1, "rejected");
      send(garbage);
      Agents.await("garbage is rejected", () -> group.count(1, "rejected") > before);
      assertUnchanged();
    }
  }

  private void send(byte[] content) throws Exception {
    group
        .agent(2)
        .messenger()
        .send(group.id(1), RRefs.CONTROL_KIND, content)
        .get(30, TimeUnit.SECONDS);
  }

  @Test
  void rr25_referenceOfAnotherAgentOrType_cannotBePassedOn() {
    RpcFunction<RRef<Long>, Long> read =
        new RpcFunction<>("read", RRefs.codec(Codecs.LONG), Codecs.LONG);
    assertThrows(
        IllegalArgumentException.class, () -> group.agent(2).rpcSync(group.id(1), read, honest));
    assertFalse(honest.isOwner());
    @SuppressWarnings("unchecked") // the mistake that is to be found
    RRef<Double> other = (RRef<Double>) (RRef<?>) honest;
    RpcFunction<RRef<Double>, Long> wrong =
        new RpcFunction<>("read", RRefs.codec(Codecs.DOUBLE), Codecs.LONG);
    assertThrows(
        IllegalArgumentException.class, () -> group.agent(0).rpcSync(group.id(1), wrong, other));
    assertUnchanged();
  }
}
