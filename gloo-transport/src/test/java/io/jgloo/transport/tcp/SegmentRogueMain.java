package io.jgloo.transport.tcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jgloo.transport.memory.Memory;
import io.jgloo.transport.shm.Segment;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Random;
import java.util.UUID;

/**
 * A process that joins a mesh through shared memory, by the bytes of the wire, and then writes into
 * the memory what it is told to: {@code word OFFSET VALUE}, {@code bytes OFFSET HEX}, {@code
 * scribble OFFSET BYTES SEED COUNT}; {@code repeat OFFSET HEX COUNT} writes bytes several times. It
 * answers each line with {@code done}.
 */
final class SegmentRogueMain {

  private static final byte[] MEMORY_CONFIRMATION =
      ByteBuffer.allocate(8).putLong(0x4a47_4c4f_4f47_4f03L).array();

  private SegmentRogueMain() {}

  /** Arguments: port, hello in hex, bytes of a ring, whether there are cells. */
  public static void main(String[] arguments) throws IOException {
    byte[] hello = HexFormat.of().parseHex(arguments[1]);
    ByteBuffer fields = ByteBuffer.wrap(hello);
    UUID target = new UUID(fields.getLong(32), fields.getLong(40));
    UUID source = new UUID(fields.getLong(48), fields.getLong(56));
    try (Segment segment =
            Segment.create(
                false,
                Long.parseLong(arguments[2]),
                Boolean.parseBoolean(arguments[3]),
                source,
                target);
        RoguePeer peer =
            new RoguePeer(
                new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])))) {
      byte[] offer = segment.offer();
      fields.putInt(28, offer.length);
      peer.say(hello, offer);
      int status = ByteBuffer.wrap(peer.hear(WireBytes.WELCOME_BYTES)).getInt(24);
      ByteBuffer answer = ByteBuffer.wrap(peer.hear(20));
      String reason = new String(peer.hear(answer.getInt(16)), UTF_8);
      if (status != WireBytes.ACCEPTED || !reason.isEmpty()) {
        throw new IOException("status " + status + ", reason '" + reason + "'");
      }
      peer.say(MEMORY_CONFIRMATION);
      obey(address());
    }
  }

  /** Where the only segment of this process is mapped. */
  private static long address() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/maps")).stream()
        .filter(line -> line.contains("/memfd:jgloo"))
        .mapToLong(line -> Long.parseUnsignedLong(line.substring(0, line.indexOf('-')), 16))
        .findFirst()
        .orElseThrow();
  }

  private static void obey(long base) throws IOException {
    PrintStream out = new PrintStream(System.out, true, UTF_8);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    out.println("joined");
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ", -1);
      switch (words[0]) {
        case "word" ->
            Memory.putLongRelease(base + Long.parseLong(words[1]), Long.parseLong(words[2]));
        case "bytes" -> {
          byte[] bytes = HexFormat.of().parseHex(words[2]);
          Memory.copy(bytes, 0, base + Long.parseLong(words[1]), bytes.length);
        }
        case "scribble" ->
            scribble(
                base + Long.parseLong(words[1]),
                Integer.parseInt(words[2]),
                new Random(Long.parseLong(words[3])),
                Integer.parseInt(words[4]));
        case "repeat" -> {
          byte[] bytes = HexFormat.of().parseHex(words[2]);
          for (long i = 0; i < Long.parseLong(words[3]); i++) {
            Memory.copy(bytes, 0, base + Long.parseLong(words[1]) + i * bytes.length, bytes.length);
          }
        }
        default -> throw new IllegalArgumentException(line);
      }
      out.println("done");
    }
  }

  private static void scribble(long at, int bytes, Random random, int count) {
    for (int i = 0; i < count; i++) {
      long offset = random.nextInt(bytes) & -8;
      long value =
          switch (random.nextInt(4)) {
            case 0 -> random.nextLong();
            case 1 -> Long.MIN_VALUE + random.nextInt(1 << 20);
            case 2 -> 1L << random.nextInt(Long.SIZE);
            default -> random.nextInt(1 << 16);
          };
      Memory.putLongRelease(at + offset, value);
    }
  }
}
