package io.jgloo.rpc.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rpc.agent.NotExecutedException;
import io.jgloo.rpc.agent.OutcomeUnknownException;
import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Message;
import io.jgloo.transport.memory.Memory;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replies whose blocks are received in memory of the caller. */
@Timeout(60)
final class ReplyMemoryTest {

  private static final int SERVICE = 7;
  private static final int BYTES = 9_000_001;

  private final Messengers messengers = new Messengers(2);
  private final long before = Memory.allocatedBytes();
  private final long memory = Memory.allocate(BYTES, Memory.CACHE_LINE);

  /** Whether the client's frames are lost. */
  private volatile boolean isCut;

  private final class Caller implements ReplyHandler {
    final CompletableFuture<Object> outcome = new CompletableFuture<>();
    final CompletableFuture<Void> released = new CompletableFuture<>();
    final CompletableFuture<Void> asked = new CompletableFuture<>();
    final boolean cuts;

    Caller(boolean cuts) {
      this.cuts = cuts;
    }

    @Override
    public Block memory(int status, Message head, int index, long length) {
      boolean isFirst = status == 3 && head.length() == 5 && index == 0 && length == BYTES;
      isCut = cuts;
      asked.complete(null);
      return isFirst ? Block.of(memory, length, () -> released.complete(null)) : null;
    }

    @Override
    public void replied(int status, Message reply) {
      outcome.complete(reply);
    }

    @Override
    public void failed(io.jgloo.transport.JGlooException cause) {
      outcome.complete(cause);
    }
  }

  private PendingCall call(Caller caller) throws Exception {
    messengers.start(
        Messengers.OPTIONS,
        messenger ->
            messenger.serve(
                SERVICE,
                request -> {
                  assertTrue(request.begin());
                  Block first = Block.allocate(BYTES);
                  Memory.setZero(first.address(), BYTES);
                  Memory.putByte(first.address() + BYTES - 1, (byte) 77);
                  request.reply(
                      3, Message.of(new byte[5], 0, 5, List.of(first, Block.allocate(100))));
                }));
    messengers.copies(0, () -> isCut ? 0 : 1);
    Messenger client = messengers.get(0);
    return client.request(
        client.agent(1).orElseThrow(),
        SERVICE,
        Message.of(new byte[1]),
        Priority.NORMAL,
        client.clock().nanoTime() + TimeUnit.SECONDS.toNanos(50),
        caller);
  }

  private void awaitCounts(int rank, Predicate<Long> supplies) {
    while (!supplies.test(messengers.get(rank).counts().get("supplies"))) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  @AfterEach
  void end() {
    messengers.close();
    Memory.free(memory);
    assertEquals(before, Memory.allocatedBytes());
  }

  @Test
  void replyIsReceivedInMemoryOfTheCaller() throws Exception {
    Caller caller = new Caller(false);
    call(caller);
    try (Message reply = (Message) caller.outcome.get(40, TimeUnit.SECONDS)) {
      assertEquals(memory, reply.blocks().get(0).address());
      assertEquals(77, Memory.getByte(memory + BYTES - 1));
      assertEquals(100, reply.blocks().get(1).length());
      assertTrue(!caller.released.isDone());
    }
    assertTrue(caller.released.isDone());
    awaitCounts(1, supplies -> supplies == 0);
  }

  @Test
  void callGivenUpWhileItsReplyArrives_leavesTheMemoryOfTheCaller() throws Exception {
    Caller caller = new Caller(true);
    PendingCall call = call(caller);
    caller.asked.get(40, TimeUnit.SECONDS);
    call.cancel(); // what it has asked for is under way, and comes later
    assertInstanceOf(
        OutcomeUnknownException.class, caller.outcome.get(40, TimeUnit.SECONDS), "the outcome");
    assertTrue(caller.released.isDone());
    Memory.putByte(memory + BYTES - 1, (byte) 5);
    isCut = false;
    awaitCounts(1, supplies -> supplies == 0); // the server has sent it
    Outcome next = messengers.request(0, 1, 999, Message.of(new byte[1]), Priority.LOW, 40_000);
    assertInstanceOf(NotExecutedException.class, next.failure());
    assertEquals(5, Memory.getByte(memory + BYTES - 1));
  }

  @Test
  void callOfALostAgent_leavesTheMemoryOfTheCaller() throws Exception {
    Caller caller = new Caller(true);
    call(caller);
    caller.asked.get(40, TimeUnit.SECONDS);
    messengers.get(1).close();
    assertInstanceOf(
        OutcomeUnknownException.class, caller.outcome.get(40, TimeUnit.SECONDS), "the outcome");
    assertTrue(caller.released.isDone());
  }
}
