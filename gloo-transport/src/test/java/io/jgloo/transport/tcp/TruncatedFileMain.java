package io.jgloo.transport.tcp;

import io.jgloo.transport.Allocation;
import io.jgloo.transport.Area;
import io.jgloo.transport.Devices;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.Rank;
import io.jgloo.transport.Request;
import io.jgloo.transport.ThreadRanks;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/** A peer truncates a file in /dev/shm that it shares with rank 0, which names it. */
final class TruncatedFileMain {

  private static final int BYTES = (int) Lending.EAGER_BYTES + 4;

  private TruncatedFileMain() {}

  /** Argument: what is truncated, and what rank 0 does then. */
  public static void main(String[] arguments) {
    switch (arguments[0]) {
      case "segment" -> truncateSegment(false);
      case "segment-closing" -> truncateSegment(true);
      case "extent" -> truncateExtent();
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  private static void check(JGlooException failure) {
    String message = failure.getMessage();
    if (!message.startsWith("peer 1 (127.0.0.1:") || !message.contains("truncated")) {
      throw new AssertionError("rank 0 reports another failure", failure);
    }
  }

  private static void truncateSegment(boolean closes) {
    Loopback.ranks(1, Loopback.OPTIONS.with("memory", "auto"))
        .run(
            rank -> {
              try (Victim victim = new Victim(rank);
                  SegmentRogue rogue = SegmentRogue.joinByFile(victim)) {
                victim.connect();
                Request waiting = victim.recv(9, rank.area(1));
                rogue.tell("truncate");
                if (!closes) {
                  check(victim.end(waiting).failure());
                }
              }
            });
  }

  private static void truncateExtent() {
    new ThreadRanks(
            2, rank -> Devices.open("tcp", TcpMemoryDeviceTest.MEMORY.with("segment", "file")))
        .run(
            rank -> {
              if (rank.rank() == 1) {
                lend(rank);
              } else {
                rank.hear(1, 6);
                Area area = rank.area(BYTES);
                check(rank.fails(ProtocolException.class, rank.recv(1, 5, area)));
              }
              rank.meet();
            });
  }

  private static void lend(Rank rank) throws IOException {
    TcpMesh mesh = (TcpMesh) rank.mesh();
    Set<Path> before = files();
    mesh.lock(); // no answer is taken meanwhile, so the file keeps its name
    try (Allocation memory = mesh.allocate(BYTES);
        RandomAccessFile file = open(before)) {
      mesh.unlock();
      HeapRanks.awaitAnswers(rank, 0);
      Request send = rank.queue().newRequest();
      send.message(5, mesh.newBuffer().wrap(memory.address(), BYTES, memory), 0, BYTES);
      rank.send(0, send);
      file.setLength(0);
      rank.tell(0, 6);
      rank.end(send);
    }
  }

  private static RandomAccessFile open(Set<Path> before) throws IOException {
    Set<Path> made = files();
    made.removeAll(before);
    return new RandomAccessFile(made.iterator().next().toFile(), "rw");
  }

  private static Set<Path> files() throws IOException {
    String own = "jgloo-[0-9]+-" + ProcessHandle.current().pid() + "-.*";
    try (var all = Files.list(Path.of("/dev/shm"))) {
      return all.filter(file -> file.getFileName().toString().matches(own))
          .collect(Collectors.toCollection(HashSet::new));
    }
  }
}
