package io.jgloo.transport.tcp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;

/**
 * Draws what one side of a connection sends, one frame a line, field by field in hexadecimal.
 *
 * <p>It knows the layouts of docs/design/wire.md on its own, without the codecs under test.
 */
final class WireText {

  private static final HexFormat HEX = HexFormat.of();

  private static final int[] HELLO = {8, 16, 4, 4, 16, 16, 4, 4, 4, 4, 8, 8, 8, 8};
  private static final int[] WELCOME = {8, 16, 4, 4, 8, 8};
  private static final int[] CONFIRMATION = {8};
  private static final int[] PAIR_NUMBER = {8};
  private static final int[] OWN_HEADER = {4, 4, 8, 8, 8, 8, 8, 16};
  private static final int[] GLOO_HEADER = {8, 8, 8, 8, 8, 8};

  private static final List<String> OWN_NAMES =
      List.of("?", "EAGER", "ANNOUNCE", "GRANT", "DATA", "CREDIT", "ABORT", "GOODBYE", "WITHDRAWN");
  private static final List<String> GLOO_NAMES =
      List.of("BOUND", "PAYLOAD", "SEND_READY", "RECEIVE_READY");

  /** Longer payloads are drawn as their length and digest. */
  private static final int MAX_HEX_BYTES = 128;

  /** What the first bytes of a stream and the headers of its frames look like. */
  enum Layout {
    DIALLER,
    LISTENER,
    /** A connection beside the first: parts of messages without headers. */
    FURTHER_DIALLER,
    FURTHER_LISTENER,
    GLOO_DIALLER,
    GLOO_LISTENER,
    /** Both sides of gloo-classic. */
    CLASSIC
  }

  private final Layout layout;
  private final String prefix;
  private final Consumer<String> lines;
  private byte[] all = {};
  private int at;

  /**
   * @param prefix begins each line
   */
  WireText(Layout layout, String prefix, Consumer<String> lines) {
    this.layout = layout;
    this.prefix = prefix;
    this.lines = lines;
  }

  /** Draws the first bytes, by which the two sides meet. */
  void drawHandshake(byte[] recorded) {
    all = recorded;
    switch (layout) {
      case DIALLER, FURTHER_DIALLER -> {
        line("hello", HELLO);
        line("confirmation", CONFIRMATION);
      }
      case LISTENER, FURTHER_LISTENER -> line("welcome", WELCOME);
      case GLOO_DIALLER -> line("pair number", PAIR_NUMBER);
      default -> {
        // Nothing is said.
      }
    }
  }

  /** Bytes that {@link #draw} would draw. */
  int newBytes(byte[] recorded) {
    return recorded.length - at;
  }

  /**
   * Draws the frames that were added to a recording.
   *
   * @param elsewhere bytes of their messages that went by other connections
   */
  void draw(byte[] recorded, int elsewhere) {
    all = recorded;
    while (at < all.length) {
      switch (layout) {
        case FURTHER_DIALLER, FURTHER_LISTENER ->
            lines.accept(prefix + "part " + payload(all.length - at));
        case DIALLER, LISTENER -> ownFrame(elsewhere);
        default -> glooFrame();
      }
    }
  }

  private void ownFrame(int elsewhere) {
    int opcode = all[at];
    long length = number(16);
    boolean carries = opcode == 1 || opcode == 4 || opcode == 6;
    line(name(OWN_NAMES, opcode), OWN_HEADER);
    if (carries && length > 0) {
      lines.accept(prefix + "  " + payload(length - (opcode == 4 ? elsewhere : 0)));
    }
  }

  private void glooFrame() {
    long opcode = number(8);
    long length = number(32);
    line(name(GLOO_NAMES, opcode), GLOO_HEADER);
    if (opcode <= 1 && length > 0) {
      lines.accept(prefix + "  " + payload(length));
    }
  }

  private static String name(List<String> names, long opcode) {
    return opcode >= 0 && opcode < names.size() ? names.get((int) opcode) : "opcode " + opcode;
  }

  /** Eight bytes of the header under the cursor. */
  private long number(int offset) {
    check(offset + Long.BYTES);
    return ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN).getLong(at + offset);
  }

  private void line(String name, int... fields) {
    StringBuilder line = new StringBuilder(prefix).append(name);
    for (int bytes : fields) {
      check(bytes);
      line.append(' ').append(HEX.formatHex(all, at, at + bytes));
      at += bytes;
    }
    lines.accept(line.toString());
  }

  private String payload(long length) {
    check(length);
    byte[] bytes = Arrays.copyOfRange(all, at, at + (int) length);
    at += bytes.length;
    if (bytes.length <= MAX_HEX_BYTES) {
      return HEX.formatHex(bytes);
    }
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return bytes.length + " bytes, SHA-256 " + HEX.formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private void check(long bytes) {
    if (bytes < 0 || bytes > all.length - at) {
      throw new AssertionError(
          prefix
              + "a frame is incomplete: "
              + HEX.formatHex(all, at, Math.min(all.length, at + 96)));
    }
  }
}
