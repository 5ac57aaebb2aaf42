package io.jgloo.transport.tcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.transport.ShortJvm;
import io.jgloo.transport.tcp.connect.Endpoint;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;

/** The process of a {@link SegmentRogueMain} that has joined a {@link Victim} as its rank 1. */
final class SegmentRogue implements AutoCloseable {

  // As documented at io.jgloo.transport.shm.MemoryChannel; the rogue is the side that has made it.
  static final long TAIL = 4352;
  static final long RING = 8192;

  private final Process process;
  private final BufferedReader output;

  private SegmentRogue(Process process) {
    this.process = process;
    output = process.inputReader(UTF_8);
  }

  /** Starts a process that says this hello and offers a segment. */
  static SegmentRogue join(Victim victim, WireBytes.RawHello hello, long ringBytes, boolean cells)
      throws IOException {
    List<String> command =
        ShortJvm.command("-Xmx64m", "-cp", System.getProperty("java.class.path"));
    command.add(SegmentRogueMain.class.getName());
    command.add("" + Endpoint.decode(victim.mesh().address()).listener().getPort());
    command.addAll(List.of(HexFormat.of().formatHex(hello.bytes()), "" + ringBytes, "" + cells));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    SegmentRogue rogue = new SegmentRogue(process);
    boolean joined = false;
    try {
      assertEquals("joined", rogue.output.readLine());
      joined = true;
      return rogue;
    } finally {
      if (!joined) {
        rogue.close();
      }
    }
  }

  /** Has it do something, and waits until that is done. */
  void tell(String line) throws IOException {
    process.outputWriter(UTF_8).append(line).append('\n').flush();
    assertEquals("done", output.readLine());
  }

  void putWord(long offset, long value) throws IOException {
    tell("word " + offset + " " + value);
  }

  void putBytes(long offset, byte[] bytes) throws IOException {
    tell("bytes " + offset + " " + HexFormat.of().formatHex(bytes));
  }

  /** Publishes frames as the first bytes of its ring. */
  void say(byte[]... frames) throws IOException {
    byte[] all = WireBytes.join(frames);
    putBytes(RING, all);
    putWord(TAIL, all.length);
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
