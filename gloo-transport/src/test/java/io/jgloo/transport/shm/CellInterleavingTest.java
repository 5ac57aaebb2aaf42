package io.jgloo.transport.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.capability.Cells;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Runs the protocol of cells in every order of its memory accesses, with stores that become visible
 * late: no message is lost, torn or overwritten, and no process sleeps for good.
 */
@Timeout(100)
class CellInterleavingTest {

  /** Far enough for the segments of two pairs not to overlap. */
  private static final long SEGMENT = 1 << 20;

  private int bytes;
  private boolean looksAgain = true;
  private boolean wakesForRoom = true;

  /**
   * A segment among others, without the length and the second word of a cell: the first word stands
   * for all bytes of a cell that are written before the stamp, the first byte of a page for all of
   * it.
   */
  private static final class Part extends SharedMemory {
    private final ModelMemory memory;
    private final long base;

    Part(ModelMemory memory, long base) {
      super(0);
      this.memory = memory;
      this.base = base;
    }

    @Override
    long getAcquire(long offset) {
      return memory.getAcquire(base + offset);
    }

    @Override
    void putRelease(long offset, long value) {
      if (offset % 128 == 8 || offset % 128 == 24) {
        return;
      }
      memory.putRelease(base + offset, value);
    }

    @Override
    boolean compareAndSet(long offset, long expected, long value) {
      return memory.compareAndSet(base + offset, expected, value);
    }

    @Override
    void fullFence() {
      memory.fullFence();
    }

    @Override
    void write(long source, long offset, long length) {
      memory.write(source, base + offset, Math.min(1, length));
    }

    @Override
    void read(long offset, long target, long length) {
      memory.read(base + offset, target, length);
    }

    @Override
    long address(long offset) {
      return base + offset;
    }
  }

  /** One rank's end of a pair, of which the ranks' sum is the number. */
  private static final class End {
    final CellChannel cells;
    final Parking parking;
    private final Runnable bell;

    End(ModelMemory model, int rank, int peer) {
      this(model, rank, peer, 2, 2);
    }

    End(ModelMemory model, int rank, int peer, int places, int pages) {
      SharedMemory memory = new Part(model, SEGMENT * (rank + peer));
      boolean first = rank < peer;
      parking = new Parking(memory, first ? 0 : 128, first ? 128 : 0);
      cells = new CellChannel(memory, first ? 128 : 0, 4096, first, places, pages);
      bell = () -> model.ring(peer);
    }

    void wake() {
      if (cells.mayBlock() && parking.mustWakeForBytes()) {
        bell.run();
      }
    }
  }

  private void publish(End end, ModelMemory memory, long message) {
    while (!end.cells.hasRoom(bytes)) {
      end.parking.park(false);
      if (!(looksAgain && end.cells.hasRoom(bytes))) {
        memory.block();
      }
      end.parking.unpark();
    }
    end.cells.write(message, bytes);
    end.cells.publish(message, -message, bytes);
    end.wake();
  }

  /** Waits for the next message of each peer, as a rank of a flat collective does. */
  private void receive(ModelMemory memory, long message, End... ends) {
    int arrived = 0;
    while (true) {
      while (arrived < ends.length && ends[arrived].cells.hasCell()) {
        assertEquals(message, ends[arrived].cells.high());
        if (bytes > 0) {
          assertEquals(message, memory.getAcquire(ends[arrived].cells.address(bytes)));
        }
        arrived++;
      }
      if (arrived == ends.length) {
        break;
      }
      await(memory, ends, arrived);
    }
    for (End end : ends) {
      if (end.cells.free() && wakesForRoom) {
        end.wake();
      }
    }
  }

  private void await(ModelMemory memory, End[] ends, int arrived) {
    for (End end : ends) {
      end.parking.park(false);
    }
    if (!(looksAgain && ends[arrived].cells.hasCell())) {
      memory.block();
    }
    for (End end : ends) {
      end.parking.unpark();
    }
  }

  /** As a broadcast whose root runs ahead, by more messages than there are cells, or pages. */
  private void runAhead(String what, int places, int pages) {
    Interleavings.explore(
        what,
        memory -> {
          End end = new End(memory, 0, 1, places, pages);
          for (int message = 1; message <= 3; message++) {
            publish(end, memory, message);
          }
        },
        memory -> {
          End end = new End(memory, 1, 0, places, pages);
          for (int message = 1; message <= 3; message++) {
            receive(memory, message, end);
          }
        });
  }

  @Test
  void oneWay_cellsAreUsedAgain() {
    runAhead("cells one way", 2, 2);
  }

  @Test
  void oneWay_pagesAreUsedAgain() {
    bytes = Cells.MAX_BYTES;
    runAhead("pages one way", 4, 2);
  }

  @Test
  void twoRanks_exchange() {
    Interleavings.Program[] ranks = new Interleavings.Program[2];
    for (int each = 0; each < 2; each++) {
      int rank = each;
      ranks[rank] =
          memory -> {
            End end = new End(memory, rank, 1 - rank);
            for (int message = 1; message <= 2; message++) {
              publish(end, memory, message);
              receive(memory, message, end);
            }
          };
    }
    Interleavings.explore("cells of two ranks", ranks);
  }

  @Test
  void threeRanks_broadcast() {
    Interleavings.explore(
        "cells of three ranks",
        memory -> {
          End first = new End(memory, 0, 1);
          End second = new End(memory, 0, 2);
          publish(first, memory, 1);
          publish(second, memory, 1);
        },
        memory -> {
          End root = new End(memory, 1, 0);
          End other = new End(memory, 1, 2);
          publish(other, memory, 1);
          receive(memory, 1, root);
        },
        memory -> receive(memory, 1, new End(memory, 2, 0), new End(memory, 2, 1)));
  }

  @Test
  void parkingWithoutLookingAgain_isFound() {
    looksAgain = false;
    assertSleeps();
  }

  @Test
  void roomWithoutWakeUp_isFound() {
    wakesForRoom = false;
    assertSleeps();
  }

  private void assertSleeps() {
    AssertionError found = assertThrows(AssertionError.class, () -> runAhead("mutant", 2, 2));
    assertTrue(found.getMessage().contains("sleeps for good"), found.getMessage());
  }
}
