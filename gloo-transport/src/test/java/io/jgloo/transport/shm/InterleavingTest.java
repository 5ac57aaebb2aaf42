package io.jgloo.transport.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Runs the protocol of rings, parking and lent memory in every order of its memory accesses, with
 * stores that become visible late: no byte is lost or overwritten, no process sleeps for good, and
 * no byte of lent memory is taken for good after its owner has changed it.
 */
@Timeout(100)
class InterleavingTest {

  private static MemoryChannel channel(ModelMemory memory, boolean first) {
    return channel(memory, first, 4);
  }

  private static MemoryChannel channel(ModelMemory memory, boolean first, int ringBytes) {
    return new MemoryChannel(memory, first, ringBytes, true, () -> memory.ring(first ? 1 : 0));
  }

  /** Waits as the thread that makes progress does. */
  private static void await(MemoryChannel channel, ModelMemory memory, boolean forRoom) {
    if (channel.park(forRoom)) {
      memory.block();
    }
    channel.unpark();
  }

  private static void send(MemoryChannel channel, ModelMemory memory, int from, int bytes) {
    int sent = 0;
    while (sent < bytes) {
      long count = channel.write(from + sent, bytes - sent);
      sent += (int) count;
      if (count == 0) {
        await(channel, memory, true);
      }
    }
  }

  private static void receive(MemoryChannel channel, ModelMemory memory, int from, int bytes) {
    int received = 0;
    while (received < bytes) {
      int count = channel.read(from + received, bytes - received);
      received += count;
      if (count == 0) {
        await(channel, memory, false);
      }
    }
  }

  private static void explore(String what, Interleavings.Program... processes) {
    Interleavings.explore(what, processes);
  }

  @Test
  void oneWay_ringFullAndWrapped() {
    explore(
        "one way",
        memory -> {
          MemoryChannel channel = channel(memory, true);
          send(channel, memory, 1, 3);
          send(channel, memory, 4, 3);
        },
        memory -> {
          MemoryChannel channel = channel(memory, false);
          receive(channel, memory, 1, 2);
          receive(channel, memory, 3, 4);
        });
  }

  /** A quarter of the ring is two bytes: the head is published late. */
  @Test
  void oneWay_headPublishedLate() {
    explore(
        "one way, late head",
        memory -> send(channel(memory, true, 8), memory, 1, 10),
        memory -> receive(channel(memory, false, 8), memory, 1, 10));
  }

  @Test
  void pingPong_wakesBothWays() {
    explore(
        "ping pong",
        memory -> {
          MemoryChannel channel = channel(memory, true);
          send(channel, memory, 1, 1);
          receive(channel, memory, 100, 1);
          send(channel, memory, 2, 1);
        },
        memory -> {
          MemoryChannel channel = channel(memory, false);
          receive(channel, memory, 1, 1);
          send(channel, memory, 100, 1);
          receive(channel, memory, 2, 1);
        });
  }

  private static final long LENT = 1 << 20;
  private static final int BEFORE = 7;
  private static final int AFTER = 8;
  private static final int SHARED = 1;
  private static final int DONE = 100;

  private static void change(ModelMemory memory, long lent, int value) {
    memory.write(value, lent, 1);
  }

  /** Reads lent memory and, unless it was revoked, takes what it has read and says so. */
  private static void borrow(MemoryChannel channel, ModelMemory memory, long lent, int done) {
    long found = memory.getAcquire(lent);
    if (!channel.isRevoked()) {
      assertEquals(BEFORE, found, "a byte of lent memory was taken after it was changed");
      send(channel, memory, done, 1);
    }
  }

  /** The owner changes its memory when the reader has said that it is done. */
  @Test
  void lentMemory_isReusedAfterDone() {
    explore(
        "lent",
        memory -> {
          MemoryChannel channel = channel(memory, true);
          change(memory, LENT, BEFORE);
          send(channel, memory, SHARED, 1);
          receive(channel, memory, DONE, 1);
          change(memory, LENT, AFTER);
        },
        memory -> {
          MemoryChannel channel = channel(memory, false);
          receive(channel, memory, SHARED, 1);
          borrow(channel, memory, LENT, DONE);
        });
  }

  /** Both lend at once, and read the other's memory before they look for the answer. */
  @Test
  void lentMemory_bothWays() {
    explore(
        "lent both ways",
        memory -> {
          MemoryChannel channel = channel(memory, true);
          change(memory, LENT, BEFORE);
          send(channel, memory, SHARED, 1);
          receive(channel, memory, SHARED, 1);
          borrow(channel, memory, LENT + 8, DONE);
          receive(channel, memory, DONE, 1);
          change(memory, LENT, AFTER);
        },
        memory -> {
          MemoryChannel channel = channel(memory, false);
          change(memory, LENT + 8, BEFORE);
          send(channel, memory, SHARED, 1);
          receive(channel, memory, SHARED, 1);
          borrow(channel, memory, LENT, DONE);
          receive(channel, memory, DONE, 1);
          change(memory, LENT + 8, AFTER);
        });
  }

  /** The owner fails at any moment and changes its memory without waiting for the reader. */
  @Test
  void revokedMemory_isNotTaken() {
    explore("revoked", memory -> lendAndFail(memory, true), InterleavingTest::borrowOnce);
  }

  private static void lendAndFail(ModelMemory memory, boolean revokesFirst) {
    MemoryChannel channel = channel(memory, true);
    change(memory, LENT, BEFORE);
    send(channel, memory, SHARED, 1);
    if (!channel.hasBytes()) {
      if (revokesFirst) {
        channel.revoke();
      }
      change(memory, LENT, AFTER);
      channel.revoke();
    }
  }

  private static void borrowOnce(ModelMemory memory) {
    MemoryChannel channel = channel(memory, false);
    receive(channel, memory, SHARED, 1);
    borrow(channel, memory, LENT, DONE);
  }

  @Test
  void revokingAfterTheChange_isFound() {
    AssertionError found =
        assertThrows(
            AssertionError.class,
            () ->
                explore(
                    "late revocation",
                    memory -> lendAndFail(memory, false),
                    InterleavingTest::borrowOnce));
    assertTrue(found.getMessage().contains("after it was changed"), found.getMessage());
  }

  @Test
  void parkingWithoutLookingAgain_isFound() {
    AssertionError found =
        assertThrows(
            AssertionError.class,
            () ->
                explore(
                    "mutant",
                    memory -> send(channel(memory, true), memory, 1, 1),
                    memory -> {
                      MemoryChannel channel = channel(memory, false);
                      while (channel.read(1, 1) == 0) {
                        channel.park(false);
                        memory.block();
                        channel.unpark();
                      }
                    }));
    assertTrue(found.getMessage().contains("sleeps for good"), found.getMessage());
  }

  /** A memory whose fences do nothing, as if they had been forgotten. */
  @Test
  void missingFence_isFound() {
    AssertionError found =
        assertThrows(
            AssertionError.class,
            () ->
                explore(
                    "without fences",
                    memory -> {
                      memory.ignoreFences();
                      send(channel(memory, true), memory, 1, 1);
                    },
                    memory -> {
                      memory.ignoreFences();
                      receive(channel(memory, false), memory, 1, 1);
                    }));
    assertTrue(found.getMessage().contains("sleeps for good"), found.getMessage());
  }
}
