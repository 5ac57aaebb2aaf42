package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.MismatchException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Groups of some of a group's ranks. */
@Timeout(120)
class SubGroupsTest {
  /** What one rank does with the whole group. */
  private interface Part {
    void run(ProcessGroup world) throws Exception;
  }

  private static void all(int size, Part part) {
    try (HashStore store = new HashStore();
        Device device = Devices.open("tcp", DeviceOptions.DEFAULTS.with("interface", "lo"))) {
      List<CompletableFuture<Void>> ranks = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        int own = rank;
        ranks.add(
            Ranks.inThread(
                () -> {
                  try (ProcessGroup world = ProcessGroup.connect(own, size, store, device)) {
                    part.run(world);
                    world.barrier();
                  }
                  return null;
                }));
      }
      ranks.forEach(Ranks::patiently);
    }
  }

  private static long sum(ProcessGroup group, long own) {
    long[] x = {own};
    group.allreduce(x, ReduceOp.SUM);
    return x[0];
  }

  @Test
  void evenAndOdd() {
    all(
        5,
        world -> {
          try (ProcessGroup half = world.split(world.rank() % 2, -world.rank()).orElseThrow()) {
            boolean even = world.rank() % 2 == 0;
            assertEquals(even ? 3 : 2, half.size());
            assertEquals((even ? 4 - world.rank() : 3 - world.rank()) / 2, half.rank());
            assertEquals(even ? 6 : 4, sum(half, world.rank()));
            assertEquals(10, sum(world, world.rank()));
            assertTrue(half.name().startsWith("world/"), half.name());
          }
        });
  }

  @Test
  void listedRanksInTheirOrderNestedAndEmpty() {
    all(
        4,
        world -> {
          Optional<ProcessGroup> three = world.newGroup(3, 0, 2);
          assertEquals(world.rank() != 1, three.isPresent());
          if (three.isPresent()) {
            ProcessGroup group = three.get();
            assertEquals(List.of(3, 0, 2).indexOf(world.rank()), group.rank());
            int[] received = {world.rank()};
            group.broadcast(received, 0);
            assertArrayEquals(new int[] {3}, received);
            Optional<ProcessGroup> pair = group.newGroup(1, 2);
            pair.ifPresent(nested -> assertEquals(2, sum(nested, world.rank())));
            assertEquals(group.rank() > 0, pair.isPresent());
            pair.ifPresent(ProcessGroup::close);
            group.barrier();
            group.close();
          }
          assertEquals(Optional.empty(), world.split(-1, 0).map(ProcessGroup::size));
          assertEquals(6, sum(world, world.rank()));
        });
  }

  /** Calls of a group and of a part of it by turns, more of them than a pair has cells. */
  @Test
  void shortCallsOfGroupAndPart_useCellsOfTheirOwn() {
    all(
        4,
        world -> {
          int odd = world.rank() % 2;
          try (ProcessGroup half = world.split(odd, world.rank()).orElseThrow()) {
            String chosen = half.explain(Collective.ALLREDUCE, DataType.INT64, 1);
            assertEquals(world.route((world.rank() + 2) % 4).equals("tcp"), !chosen.equals("flat"));
            for (int i = 0; i < 20; i++) {
              assertEquals(2 + 2 * odd + 2 * i, sum(half, world.rank() + i));
              int[] x = {world.rank()};
              world.broadcast(x, i % 4);
              assertEquals(i % 4, x[0]);
            }
          }
        });
  }

  @Test
  void splitAgainstNewGroup_isReportedToAllRanks() {
    all(
        3,
        world -> {
          MismatchException e =
              assertThrows(
                  MismatchException.class,
                  () -> {
                    if (world.rank() == 1) {
                      world.newGroup(0, 1, 2);
                    } else {
                      world.split(0, 0);
                    }
                  });
          assertEquals("rank 0 called split, rank 1 called newGroup", e.getMessage());
          assertEquals(3, sum(world, world.rank()));
        });
  }

  @Test
  void differingListsAreReportedToAllRanks() {
    all(
        3,
        world -> {
          IllegalArgumentException e =
              assertThrows(
                  IllegalArgumentException.class,
                  () -> world.newGroup(world.rank() == 2 ? new int[] {0, 2} : new int[] {0, 1}));
          assertTrue(e.getMessage().contains("same list"), e.getMessage());
          assertThrows(IllegalArgumentException.class, () -> world.newGroup());
          assertThrows(IllegalArgumentException.class, () -> world.newGroup(0, 0));
          assertThrows(IllegalArgumentException.class, () -> world.newGroup(3));
          assertThrows(IllegalArgumentException.class, () -> world.split(-2, 0));
          assertEquals(3, sum(world, world.rank()));
        });
  }
}
