package io.jgloo.transport.ibverbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Area;
import io.jgloo.transport.Device;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Request;
import io.jgloo.transport.ThreadRanks;
import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.capability.Diagnosis;
import io.jgloo.transport.ibverbs.verbs.SoftVerbs;
import io.jgloo.transport.ibverbs.verbs.VerbsException;
import io.jgloo.transport.memory.Memory;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pinned memory is bounded, refused with a message when it is too much, and given back. */
@Timeout(100)
final class IbverbsMemoryTest {

  private final SoftRanks soft = SoftRanks.prompt();

  private static String refusal(Device device, int size) {
    Membership own = new Membership("world", 0, 0, size);
    return assertThrows(UnavailableException.class, () -> device.newMesh(own)).getMessage();
  }

  @Test
  void aLimitOfLockedMemoryIsNamed() {
    SoftVerbs verbs = soft.adapter().lockedLimit(64 << 10);
    long before = Memory.allocatedBytes();
    try (Device device = soft.open(verbs)) {
      String message = refusal(device, 2);
      // Two rings of 64 slots of 8 KiB for one peer.
      assertTrue(message.contains("needs 1048576 bytes of pinned memory"), message);
      assertTrue(message.contains("may lock 65536 (RLIMIT_MEMLOCK, ulimit -l)"), message);
      assertTrue(message.contains("ibverbs mesh of world rank 0 of 2"), message);
      // Fewer and smaller slots fit, but not the memory to copy through.
      Mesh alone = device.newMesh(new Membership("alone", 0, 0, 1));
      alone.close();
    }
    assertEquals(Map.of(), verbs.live());
    assertEquals(before, Memory.allocatedBytes());
    soft.check();
  }

  @Test
  void aLimitOfOurOwnIsNamed() {
    SoftVerbs verbs = soft.adapter();
    try (Device device = soft.with("pinned", 2 << 20).open(verbs)) {
      String message = refusal(device, 2);
      assertTrue(message.contains("attribute pinned allows 2097152"), message);
    }
    assertEquals(Map.of(), verbs.live());
    soft.check();
  }

  @Test
  void aQueueThatIsTooLargeIsNamed() {
    SoftVerbs verbs = soft.adapter().maxQueueEntries(1000);
    try (Device device = soft.open(verbs)) {
      String message = refusal(device, 16);
      assertTrue(message.contains("1920 entries, soft0 port 1 allows 1000"), message);
    }
    assertEquals(Map.of(), verbs.live());
  }

  /** Memory that cannot be registered is copied through what is pinned already. */
  @Test
  void refusedRegistrationsCostACopy() {
    List<SoftVerbs> verbs = List.of(soft.adapter(), soft.adapter());
    new ThreadRanks(2, rank -> soft.open(verbs.get(rank)))
        .run(
            rank -> {
              Map<String, Long> before = Diagnosis.of(rank.mesh()).counters();
              verbs.get(rank.rank()).faults().refuseRegistrations(1000, VerbsException.ENOMEM);
              Area area = rank.area(3_000_000).fill(rank.rank());
              if (rank.rank() == 0) {
                rank.complete(rank.send(1, 1, area));
                long copied = Diagnosis.of(rank.mesh()).counters().get("bytesCopied");
                assertEquals(3_000_000, copied - before.get("bytesCopied"));
              } else {
                rank.complete(rank.recv(0, 1, area));
                area.check(0);
              }
              rank.meet();
            });
    soft.check();
  }

  /** Long messages are neither copied nor cut but where the port's limit is met. */
  @Test
  void longMessagesGoStraight() {
    List<SoftVerbs> verbs = List.of(soft.adapter(), soft.adapter());
    new ThreadRanks(2, rank -> soft.open(verbs.get(rank)))
        .run(
            rank -> {
              int bytes = 40_000_000; // five messages of 8 MiB at most
              Area area = rank.area(bytes).fill(rank.rank());
              Request request = rank.rank() == 0 ? rank.send(1, 1, area) : rank.recv(0, 1, area);
              rank.complete(request);
              area.check(0);
              assertEquals(0, Diagnosis.of(rank.mesh()).counters().get("bytesCopied"));
              if (rank.rank() == 0) {
                assertEquals(bytes, Diagnosis.of(rank.mesh()).counters().get("bytesWritten"));
              }
              rank.meet();
            });
    soft.check();
  }

  /** A buffer's registration ends when it is moved, even to where it is. */
  @Test
  void registrationsEndWithTheirWindow() {
    List<SoftVerbs> verbs = List.of(soft.adapter(), soft.adapter());
    new ThreadRanks(2, rank -> soft.open(verbs.get(rank)))
        .run(
            rank -> {
              SoftVerbs own = verbs.get(rank.rank());
              Area area = rank.area(1_000_000);
              long before = own.lockedBytes();
              int made = own.registrations();
              for (int i = 0; i < 5; i++) {
                rank.complete(rank.rank() == 0 ? rank.send(1, 1, area) : rank.recv(0, 1, area));
              }
              assertEquals(made + 1, own.registrations());
              assertEquals(before + 1_000_000, own.lockedBytes());
              area.buffer().wrap(area.address(), area.length(), area);
              assertEquals(before, own.lockedBytes());
              rank.meet();
            });
    soft.check();
  }
}
