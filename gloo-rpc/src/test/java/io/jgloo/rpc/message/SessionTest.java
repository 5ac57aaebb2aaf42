package io.jgloo.rpc.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.bytes.LittleEndian;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.ProtocolException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Delivery by two sessions over a network that loses, repeats and reorders frames. One seed: {@code
 * -Djgloo.rpc.seed=N}; more of them: {@code -Djgloo.rpc.seeds=1000000}.
 */
@Timeout(300)
final class SessionTest {

  private static final boolean FULL = Boolean.getBoolean("jgloo.test.full");
  private static final int SEEDS = Integer.getInteger("jgloo.rpc.seeds", FULL ? 100_000 : 3000);
  private static final long ONE_SEED = Long.getLong("jgloo.rpc.seed", -1);
  private static final int FRAME_BYTES = 300;
  private static final long STEP_NANOS = 1_000_000;

  /** A message that records what became of it. */
  private static final class Sent extends Outbound {
    private int acknowledgements;
    private int drops;

    Sent(int number, int extra, Priority priority, boolean counted) {
      super(bytes(number, extra), 4 + extra, priority, counted);
    }

    private static byte[] bytes(int number, int extra) {
      byte[] bytes = new byte[4 + extra];
      LittleEndian.putInt(bytes, 0, number);
      return bytes;
    }

    @Override
    void acknowledged() {
      acknowledgements++;
    }

    @Override
    void dropped(io.jgloo.transport.JGlooException cause) {
      drops++;
    }
  }

  /** One end: a session, what it delivered, and the frames under way to it. */
  private static final class End {
    final Session session;
    final List<Integer> delivered = new ArrayList<>();
    final List<byte[]> coming = new ArrayList<>();

    End(long own, long peer, long now) {
      session = new Session(own, peer, 200, now);
    }

    void take(byte[] frame, long now) {
      assertTrue(session.accept(frame, frame.length, now, this::deliver));
    }

    private void deliver(byte[] frame, int offset, int length) {
      delivered.add(LittleEndian.getInt(frame, offset));
      session.release(length, 0);
    }
  }

  @Test
  void everyMessage_isDeliveredOnceAndInOrder_whateverTheNetworkDoes() {
    if (ONE_SEED >= 0) {
      run(ONE_SEED);
    } else {
      for (long seed = 0; seed < SEEDS; seed++) {
        run(seed);
      }
    }
  }

  private static void run(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long now = random.nextLong();
    End[] ends = {new End(7, 9, now), new End(9, 7, now)};
    for (End end : ends) {
      end.session.connected(now);
    }
    int messages = 1 + random.nextInt(40);
    List<List<Sent>> sent = List.of(new ArrayList<>(), new ArrayList<>());
    int loss = random.nextInt(40);
    int steps = 0;
    while (!isQuiet(ends, sent, messages)) {
      now += random.nextInt(1, 20) * STEP_NANOS;
      int side = random.nextInt(2);
      if (sent.get(side).size() < messages && random.nextInt(3) == 0) {
        Sent message = new Sent(sent.get(side).size(), random.nextInt(100), Priority.NORMAL, true);
        sent.get(side).add(message);
        ends[side].session.submit(message);
      }
      if (random.nextInt(200) == 0) { // the connection breaks: what is under way is gone
        for (End end : ends) {
          end.coming.clear();
          end.session.connected(now);
        }
      }
      move(ends[side], ends[1 - side], random, loss, now);
      assertTrue(++steps < 200_000, "seed " + seed + " does not end");
    }
    for (int side = 0; side < 2; side++) {
      List<Integer> all = IntStream.range(0, messages).boxed().toList();
      assertEquals(all, ends[1 - side].delivered, "seed " + seed);
      sent.get(side).forEach(message -> assertEquals(1, message.acknowledgements, "seed " + seed));
    }
  }

  private static boolean isQuiet(End[] ends, List<List<Sent>> sent, int messages) {
    return IntStream.range(0, 2)
        .allMatch(
            side ->
                sent.get(side).size() == messages
                    && ends[side].session.outstanding() == 0
                    && !ends[side].session.hasMessages()
                    && ends[1 - side].delivered.size() == messages);
  }

  /** Sends what one end has, and delivers some frame that is under way to it. */
  private static void move(End end, End other, SplittableRandom random, int loss, long now) {
    end.session.tick(now);
    assertTrue(end.session.timer(now + 1) - now > 0, "what is due already needs no timer");
    byte[] frame = new byte[FRAME_BYTES];
    while (end.session.hasFrame()) {
      byte[] written = Arrays.copyOf(frame, end.session.fill(frame, now));
      for (int copies = random.nextInt(100) < 20 ? 2 : 1; copies > 0; copies--) {
        if (random.nextInt(100) >= loss) {
          other.coming.add(written);
        }
      }
    }
    if (!end.coming.isEmpty()) {
      int at = random.nextInt(3) == 0 ? random.nextInt(end.coming.size()) : 0;
      end.take(end.coming.remove(at), now);
    }
  }

  @Test
  void highPriority_goesFirst_andCreditHoldsCountedMessagesBack() {
    Session session = new Session(1, 2, 60, 0);
    session.submit(new Sent(1, 46, Priority.LOW, true));
    session.submit(new Sent(2, 0, Priority.HIGH, true));
    session.submit(new Sent(3, 46, Priority.LOW, true)); // beyond the credit of 60 bytes
    session.submit(new Sent(4, 46, Priority.LOW, false)); // a reply needs none
    assertEquals(List.of(2, 4, 1), read(session));
    assertFalse(session.hasFrame());
  }

  @Test
  void lowerPriority_doesNotUseUpTheCreditThatAHigherOneWaitsFor() {
    Session session = new Session(1, 2, 60, 0);
    session.submit(new Sent(1, 46, Priority.NORMAL, true));
    assertEquals(List.of(1), read(session));
    session.submit(new Sent(2, 46, Priority.HIGH, true)); // beyond the credit of 60 bytes
    session.submit(new Sent(3, 0, Priority.LOW, true)); // would fit
    assertFalse(session.hasFrame());
    assertTrue(session.hasMessages());
  }

  private static List<Integer> read(Session session) {
    byte[] frame = new byte[4096];
    int length = session.fill(frame, 0);
    List<Integer> found = new ArrayList<>();
    new Session(2, 1, 100, 0)
        .accept(
            frame,
            length,
            0,
            (bytes, offset, count) -> found.add(LittleEndian.getInt(bytes, offset)));
    return found;
  }

  @Test
  void framesOfOtherLives_changeNothing() {
    Session old = new Session(1, 2, 60, 0);
    old.submit(new Sent(5, 0, Priority.NORMAL, true));
    byte[] frame = new byte[4096];
    int length = old.fill(frame, 0);
    End anew = new End(3, 1, 0); // the receiver was started anew: 3, not 2
    assertFalse(anew.session.accept(frame, length, 0, anew::deliver));
    assertEquals(List.of(), anew.delivered);
    byte[] answer = new byte[4096];
    assertEquals(0, Session.fence(answer, frame, length, 3));
    int fence = Session.fence(answer, frame, length, 2);
    assertTrue(Session.isFence(answer, fence, 1, new AgentId(0, 2)));
    assertFalse(Session.isFence(answer, fence, 1, new AgentId(0, 3)));
    assertEquals(0, Session.fence(new byte[4096], answer, fence, 1), "a fence is not answered");
  }

  @Test
  void garbage_isRefused() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 20_000; i++) {
      Session session = new Session(1, 2, 60, 0);
      Session peer = new Session(2, 1, 60, 0);
      peer.submit(new Sent(5, 20, Priority.NORMAL, true));
      byte[] frame = new byte[4096];
      int length = peer.fill(frame, 0);
      int changed = random.nextInt(length);
      frame[changed] ^= (byte) (1 + random.nextInt(255));
      List<Integer> lengths = new ArrayList<>();
      try {
        session.accept(frame, length, 0, (bytes, offset, count) -> lengths.add(count));
      } catch (ProtocolException e) {
        continue;
      }
      assertTrue(lengths.stream().allMatch(count -> count > 0 && count <= 24), "byte " + changed);
    }
    Session session = new Session(1, 2, 60, 0);
    assertThrows(ProtocolException.class, () -> session.accept(new byte[7], 7, 0, (b, o, l) -> {}));
  }

  @Test
  void endOfThePeer_dropsWhatIsNotAcknowledged() {
    Session session = new Session(1, 2, 60, 0);
    Sent first = new Sent(1, 0, Priority.NORMAL, true);
    Sent second = new Sent(2, 100, Priority.NORMAL, true);
    session.submit(first);
    session.submit(second);
    session.fill(new byte[4096], 0);
    session.end(new PeerLostException(1, "lost", null));
    assertEquals(1, first.drops);
    assertTrue(first.isSent());
    assertEquals(1, second.drops);
    assertFalse(second.isSent());
  }
}
