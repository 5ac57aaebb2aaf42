package io.jgloo.transport.ibverbs.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.transport.ibverbs.RdmaPort;
import io.jgloo.transport.ibverbs.verbs.End.Done;
import io.jgloo.transport.memory.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the transport relies on in any implementation of {@link Verbs}: two ends in one process. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class VerbsContract {

  private static final int RETRY_TEST_BYTES = 8;

  private End one;
  private End other;
  private boolean otherClosed;

  abstract RdmaPort port() throws VerbsException;

  @BeforeEach
  void connect() throws VerbsException {
    RdmaPort port = port();
    one = new End(port.verbs(), port.device(), port.gidIndex());
    other = new End(port.verbs(), port.device(), port.gidIndex());
    End.connect(one, other);
  }

  @AfterEach
  void close() {
    if (one != null) {
      one.close();
    }
    if (other != null && !otherClosed) {
      other.close();
    }
  }

  @Test
  void tellsWhatTheDeviceCan() throws VerbsException {
    DeviceLimits limits = one.verbs.queryDevice(one.context);
    assertTrue(limits.maxRegionBytes() >= End.ROOM, limits::toString);
    assertTrue(limits.maxPairs() > 1, limits::toString);
    assertTrue(limits.maxPairRequests() >= End.REQUESTS, limits::toString);
    assertTrue(limits.maxQueueEntries() >= 4 * End.REQUESTS, limits::toString);
    assertTrue(limits.maxRequestRanges() >= 1, limits::toString);
    assertTrue(limits.maxRegions() > 1, limits::toString);
    assertTrue(limits.maxReadsAsTarget() >= 4, limits::toString);
    assertTrue(limits.maxReadsAsOrigin() >= 4, limits::toString);
    PortState state = one.verbs.queryPort(one.context, RdmaPort.NUMBER);
    assertEquals(PortState.ACTIVE, state.state());
    assertTrue(state.maxMessageBytes() >= End.ROOM, state::toString);
    assertTrue(state.activeMtu() >= 1 && state.activeMtu() <= state.maxMtu(), state::toString);
    assertTrue(state.gids() > 0, state::toString);
    assertTrue(one.pair.number() > 0 && one.pair.number() != other.pair.number());
    assertNull(one.verbs.nextAsyncEvent(one.context));
  }

  @Test
  void messagesGoBackAndForth() throws InterruptedException {
    for (int i = 0; i < 200; i++) {
      End from = i % 2 == 0 ? one : other;
      End to = i % 2 == 0 ? other : one;
      to.receive(1000 + i, 512, 64);
      Memory.putLong(from.memory, i * 0x0101010101010101L);
      from.send(i, SendWork.SEND_WITH_IMMEDIATE, ~i, 0, 8);
      Done received = to.awaitOne();
      assertEquals(new Done(1000 + i, WorkStatus.SUCCESS, Completion.RECEIVE, 8, ~i), received);
      assertEquals(i * 0x0101010101010101L, Memory.getLong(to.memory + 512));
      Done sent = from.awaitOne();
      assertEquals(i, sent.id());
      assertEquals(WorkStatus.SUCCESS, sent.status());
      assertEquals(Completion.SEND, sent.opcode());
    }
  }

  @Test
  void aChainGoesWithOneCallAndComesInOrder() throws InterruptedException {
    int count = 16;
    for (int i = 0; i < count; i++) {
      other.receive(i, i * 8, 8);
      Memory.putLong(one.memory + i * 8L, 7L * i);
    }
    assertEquals(0, one.chain(count));
    assertEquals(
        LongStream.range(0, count).boxed().toList(),
        other.await(count).stream().map(Done::id).toList());
    for (int i = 0; i < count; i++) {
      assertEquals(7L * i, Memory.getLong(other.memory + i * 8L));
    }
    assertEquals(count - 1, one.awaitOne().id(), "only the last tells");
  }

  @Test
  void aChainThatIsTooLongIsRefusedFromItsFirstRequestTooMany() {
    List<Long> refused = new ArrayList<>();
    int errno = 0;
    while (errno == 0 && refused.size() < 1000) {
      errno = one.chain(End.REQUESTS);
      refused.add(one.refusedIndex());
    }
    assertEquals(VerbsException.ENOMEM, errno);
    long last = refused.get(refused.size() - 1);
    assertTrue(last >= 0 && last < End.REQUESTS, refused::toString);
  }

  @Test
  void inlineBytesAreTakenBeforePostingReturns() throws InterruptedException {
    assumeTrue(one.pair.maxInlineBytes() >= 8, "the device takes no bytes inline");
    other.receive(1, 0, 8);
    Memory.putLong(one.memory, 4711);
    int flags = SendWork.SIGNALED | SendWork.INLINE;
    assertEquals(0, one.tryToSend(2, SendWork.SEND, flags, 0, 0, 8));
    Memory.putLong(one.memory, 0);
    assertEquals(1, other.awaitOne().id());
    assertEquals(4711, Memory.getLong(other.memory));
  }

  @Test
  void writeWithImmediate_isReportedToThePeer() throws InterruptedException {
    int length = End.ROOM / 2;
    fill(one.memory, length);
    other.receive(5, 0, 0);
    int key = other.region.remoteKey();
    one.remote(6, SendWork.RDMA_WRITE_WITH_IMMEDIATE, 99, 0, length, other, length, key);
    Done written = other.awaitOne();
    assertEquals(
        new Done(5, WorkStatus.SUCCESS, Completion.RECEIVE_RDMA_WITH_IMMEDIATE, length, 99),
        written);
    assertSame(one.memory, other.memory + length, length);
    Done sent = one.awaitOne();
    assertEquals(6, sent.id());
    assertEquals(Completion.RDMA_WRITE, sent.opcode());
  }

  @Test
  void aReadFetchesThePeersMemory() throws InterruptedException {
    int length = End.ROOM / 2;
    fill(other.memory, length);
    one.remote(7, SendWork.RDMA_READ, 0, length, length, other, 0, other.region.remoteKey());
    Done read = one.awaitOne();
    assertEquals(7, read.id());
    assertEquals(WorkStatus.SUCCESS, read.status());
    assertEquals(Completion.RDMA_READ, read.opcode());
    assertSame(other.memory, one.memory + length, length);
    assertEquals(List.of(), other.poll(), "the peer gets no completion");
  }

  @Test
  void anEventComesForACompletionThatWasAskedFor() throws InterruptedException {
    assertEquals(0, other.verbs.takeEvent(other.channel));
    other.receive(1, 0, 8);
    assertEquals(0, other.verbs.requestEvent(other.queue));
    assertEquals(0, other.verbs.awaitEvent(other.channel, 0), "nothing yet");
    one.send(2, SendWork.SEND, 0, 0, 8);
    assertEquals(1, other.verbs.awaitEvent(other.channel, TimeUnit.SECONDS.toNanos(50)));
    assertEquals(1, other.verbs.takeEvent(other.channel));
    assertEquals(0, other.verbs.takeEvent(other.channel), "one request, one event");
    other.verbs.acknowledgeEvents(other.queue, 1);
    assertEquals(1, other.awaitOne().id());
  }

  @Test
  void aWaitEndsWhenWokenBeforeOrMeanwhile() throws Exception {
    long forLong = TimeUnit.SECONDS.toNanos(50);
    one.verbs.wakeup(one.channel);
    assertEquals(0, one.verbs.awaitEvent(one.channel, forLong));
    CompletableFuture<Integer> waiter =
        CompletableFuture.supplyAsync(() -> one.verbs.awaitEvent(one.channel, forLong));
    one.verbs.wakeup(one.channel);
    assertEquals(0, waiter.get(40, TimeUnit.SECONDS));
    assertEquals(0, one.verbs.awaitEvent(one.channel, 1_000_000), "a wake-up is used up once");
  }

  @Test
  void aWrongKeyIsRefusedByThePeerAndWhatFollowsIsFlushed() throws InterruptedException {
    int wrong = other.region.remoteKey() ^ 0x5a5a5a;
    one.receive(10, 0, 8); // rxe does not look at receives that are posted after the error
    one.remote(11, SendWork.RDMA_WRITE, 0, 0, 8, other, 0, wrong);
    one.send(12, SendWork.SEND, 0, 0, 8);
    Map<Long, WorkStatus> ended =
        one.await(3).stream().collect(Collectors.toMap(Done::id, Done::status));
    WorkStatus flushed = WorkStatus.FLUSHED;
    assertEquals(Map.of(10L, flushed, 11L, WorkStatus.REMOTE_ACCESS_ERROR, 12L, flushed), ended);
    one.send(13, SendWork.SEND, 0, 0, 8);
    assertEquals(flushed, one.awaitOne().status(), "a send that comes too late");
    assertNotEquals("", one.verbs.statusText(WorkStatus.REMOTE_ACCESS_ERROR.code()));
  }

  @Test
  void endedPeer_isReportedWhenTheRetriesAreOver() throws InterruptedException {
    other.close();
    otherClosed = true;
    one.receive(21, 0, RETRY_TEST_BYTES);
    one.send(22, SendWork.SEND, 0, 0, RETRY_TEST_BYTES);
    List<Done> ended = one.await(2);
    assertEquals(
        List.of(21L, 22L), ended.stream().map(Done::id).sorted().toList(), ended::toString);
    for (Done each : ended) {
      assertEquals(
          each.id() == 22 ? WorkStatus.RETRIES_EXCEEDED : WorkStatus.FLUSHED, each.status());
    }
  }

  @Test
  void anErrorOfOnesOwnMakingFlushesWhatIsPosted() throws Exception {
    IntStream.range(0, 3).forEach(i -> one.receive(30 + i, 0, 8));
    one.verbs.toError(one.pair);
    List<Done> flushed = one.await(3);
    assertEquals(List.of(30L, 31L, 32L), flushed.stream().map(Done::id).toList());
    for (Done each : flushed) {
      assertEquals(WorkStatus.FLUSHED, each.status());
    }
  }

  private static void fill(long address, int length) {
    for (int i = 0; i < length; i += 8) {
      Memory.putLong(address + i, i * 0x9e3779b97f4a7c15L);
    }
  }

  private static void assertSame(long expected, long actual, int length) {
    for (int i = 0; i < length; i += 8) {
      long at = i;
      assertEquals(Memory.getLong(expected + i), Memory.getLong(actual + i), () -> "at byte " + at);
    }
  }
}
