package io.jgloo.transport.shm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.memory.Memory;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A segment is shared by the two that made and attached it, and by nothing else. */
@Timeout(60)
class SegmentTest {

  private static final UUID MAKER = new UUID(1, 2);
  private static final UUID PEER = new UUID(3, 4);
  private static final int RING_BYTES = 4096;
  private static final MemoryChannel.Bell NO_BELL = () -> {};

  private final List<Path> before = segments();

  @AfterEach
  void nothingIsLeft() {
    assertEquals(before, segments());
  }

  /** Those of this process; other test JVMs of the host make and remove theirs meanwhile. */
  private static List<Path> segments() {
    String own = "jgloo-[0-9]+-" + ProcessHandle.current().pid() + "-.*";
    try (Stream<Path> files = Files.list(SegmentFile.DIRECTORY)) {
      return files.filter(file -> file.getFileName().toString().matches(own)).toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void bytesOfOneSide_arriveAtTheOther(boolean named) throws IOException {
    try (Segment made = Segment.create(named, RING_BYTES, true, MAKER, PEER);
        Segment attached = Segment.attach(made.offer(), MAKER, PEER)) {
      SegmentAnswer answer = SegmentAnswer.decode(SegmentAnswer.attached(attached).encode());
      assertTrue(answer.proves(made));
      assertFalse(SegmentAnswer.declined("no").proves(made));
      made.unlink();
      exchange(made.channel(NO_BELL), attached.channel(NO_BELL));
      exchange(attached.channel(NO_BELL), made.channel(NO_BELL));
    }
  }

  /** Random pieces through a ring that is much shorter; copied out, and read in place. */
  private static void exchange(MemoryChannel from, MemoryChannel to) {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    byte[] bytes = new byte[50 * RING_BYTES];
    random.nextBytes(bytes);
    long source = Memory.allocate(bytes.length, 64);
    long target = Memory.allocate(bytes.length, 64);
    try {
      Memory.copy(bytes, 0, source, bytes.length);
      int sent = 0;
      int received = 0;
      while (received < bytes.length) {
        int piece = Math.min(bytes.length - sent, random.nextInt(2 * RING_BYTES));
        sent += (int) from.write(source + sent, piece);
        if (random.nextBoolean()) {
          received += to.read(target + received, random.nextInt(RING_BYTES));
        } else {
          int count = Math.min(to.contiguous(), random.nextInt(RING_BYTES));
          Memory.copy(to.address(), target + received, count);
          to.skip(count);
          received += count;
        }
      }
      byte[] found = new byte[bytes.length];
      Memory.copy(target, found, 0, found.length);
      assertArrayEquals(bytes, found, "seed " + seed);
      assertFalse(to.hasBytes());
    } finally {
      Memory.free(source);
      Memory.free(target);
    }
  }

  @Test
  void anotherMesh_isRefused() throws IOException {
    try (Segment made = Segment.create(false, RING_BYTES, true, MAKER, PEER)) {
      IOException refused =
          assertThrows(IOException.class, () -> Segment.attach(made.offer(), MAKER, MAKER));
      assertTrue(refused.getMessage().endsWith("is not the memory that was offered"));
    }
  }

  @Test
  void anotherPidNamespace_isRefused() {
    SegmentOffer offer =
        new SegmentOffer(false, true, SegmentFile.pidNamespace() + 1, RING_BYTES, "/proc/1/fd/1");
    IOException refused =
        assertThrows(IOException.class, () -> Segment.attach(offer.encode(), MAKER, PEER));
    assertTrue(refused.getMessage().contains("pid namespace"), refused.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/tmp/jgloo-1-2-3-0123456789abcdef",
        "/etc/passwd",
        "/dev/shm/../etc/passwd",
        "/proc/self/fd/0",
        ""
      })
  void pathOfSomethingElse_isRefused(String path) {
    for (boolean named : new boolean[] {false, true}) {
      SegmentOffer offer =
          new SegmentOffer(named, true, SegmentFile.pidNamespace(), RING_BYTES, path);
      assertThrows(IOException.class, () -> Segment.attach(offer.encode(), MAKER, PEER), path);
    }
  }

  @Test
  void descriptorOfAnotherFile_isRefused() throws IOException {
    try (RandomAccessFile file = new RandomAccessFile("/etc/hostname", "r")) {
      assertTrue(file.length() >= 0);
      long pid = ProcessHandle.current().pid();
      for (int descriptor = 0; descriptor < 20; descriptor++) {
        String path = "/proc/" + pid + "/fd/" + descriptor;
        SegmentOffer offer =
            new SegmentOffer(false, true, SegmentFile.pidNamespace(), RING_BYTES, path);
        assertThrows(IOException.class, () -> Segment.attach(offer.encode(), MAKER, PEER));
      }
    }
  }

  @Test
  void truncatedFile_isRefused() throws IOException {
    try (Segment made = Segment.create(true, RING_BYTES, true, MAKER, PEER)) {
      SegmentOffer offer = SegmentOffer.decode(made.offer());
      try (RandomAccessFile file = new RandomAccessFile(offer.path(), "rw")) {
        file.setLength(RING_BYTES);
      }
      IOException refused =
          assertThrows(IOException.class, () -> Segment.attach(made.offer(), MAKER, PEER));
      assertTrue(refused.getMessage().contains("has 4096 bytes"), refused.getMessage());
    }
  }

  @Test
  void anonymousSegment_cannotBeTruncated() throws IOException {
    try (Segment made = Segment.create(false, RING_BYTES, true, MAKER, PEER)) {
      SegmentOffer offer = SegmentOffer.decode(made.offer());
      try (RandomAccessFile file = new RandomAccessFile(offer.path(), "rw")) {
        assertThrows(IOException.class, () -> file.setLength(0));
      }
    }
  }

  @Test
  void filesOfDeadProcesses_areRemoved(@TempDir Path directory) throws IOException {
    long namespace = SegmentFile.pidNamespace();
    String living = SegmentFile.newName();
    String dead = "jgloo-%d-%d-%d-0123456789abcdef".formatted(namespace, 4_000_000, 77);
    String reused =
        "jgloo-%d-%d-%d-0123456789abcdef"
            .formatted(namespace, ProcessHandle.current().pid(), 77); // another start time
    String elsewhere = "jgloo-%d-%d-%d-0123456789abcdef".formatted(namespace + 1, 4_000_000, 77);
    String foreign = "jgloo-notes";
    for (String name : List.of(living, dead, reused, elsewhere, foreign)) {
      Files.createFile(directory.resolve(name));
    }
    try (SegmentFile file = SegmentFile.named(directory, 4096)) {
      assertEquals("rw-------", mode(Path.of(file.path())));
      assertTrue(Files.exists(directory.resolve(living)));
      assertTrue(Files.exists(directory.resolve(elsewhere)));
      assertTrue(Files.exists(directory.resolve(foreign)));
      assertFalse(Files.exists(directory.resolve(dead)));
      assertFalse(Files.exists(directory.resolve(reused)));
    }
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  /** A folder that is not empty stands for a file that is of another user. */
  @Test
  void fileOfADeadProcessThatCannotBeRemoved_isNoHindrance(@TempDir Path directory)
      throws IOException {
    String dead =
        "jgloo-%d-%d-77-0123456789abcdef".formatted(SegmentFile.pidNamespace(), 4_000_000);
    Files.createFile(Files.createDirectory(directory.resolve(dead)).resolve("inside"));
    try (SegmentFile file = SegmentFile.named(directory, 4096)) {
      assertTrue(Files.exists(Path.of(file.path())));
    }
    assertTrue(Files.exists(directory.resolve(dead)));
  }
}
