package io.jgloo.transport.tcp;

import io.jgloo.transport.tcp.wire.WireVersion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/**
 * The bytes of the wire as they are documented, written without the codecs they hold to account.
 */
final class WireBytes {

  static final int JOIN = 1;
  static final int PROBE = 2;
  static final int NOTICE = 3;
  static final int ASK = 5;

  static final int ACCEPTED = 0;
  static final int UNKNOWN = 1;
  static final int WRONG_SIZE = 2;
  static final int WRONG_GROUP = 3;
  static final int WRONG_RANK = 4;
  static final int DUPLICATE = 5;
  static final int NOT_YET = 6;
  static final int FAILED = 7;
  static final int NO_SECRET = 9;
  static final int NO_TLS = 12;
  static final int SECRET_NEEDED = 10;
  static final int OTHER_VERSION = 14;

  static final int EAGER = 1;
  static final int ANNOUNCE = 2;
  static final int GRANT = 3;
  static final int DATA = 4;
  static final int CREDIT = 5;
  static final int ABORT = 6;
  static final int GOODBYE = 7;
  static final int WITHDRAWN = 8;

  static final int HELLO_BYTES = 112;
  static final int WELCOME_BYTES = 48;
  static final int CONFIRMATION_BYTES = 8;
  static final int HEADER_BYTES = 64;

  /** "JGLOO", two zeros, version 4. */
  static final long MAGIC = 0x4a47_4c4f_4f00_0004L;

  static final int RELEASE_BYTES = 16;

  private WireBytes() {}

  /** A hello whose fields a test bends as it likes. */
  static final class RawHello {
    long magic = MAGIC;
    String release = WireVersion.RELEASE;
    int purpose = JOIN;
    int noticeLength;
    UUID target;
    UUID source = UUID.randomUUID();
    int rank = 1;
    int size = 2;
    int targetRank;
    long epoch;
    long group;
    int stripe;
    long window = 4 << 20;
    long options;

    RawHello(UUID target, String group) {
      this.target = target;
      this.group = fnv(group);
    }

    byte[] bytes() {
      return ByteBuffer.allocate(HELLO_BYTES)
          .putLong(0, magic)
          .put(8, release(release))
          .putInt(24, purpose)
          .putInt(28, noticeLength)
          .putLong(32, target.getMostSignificantBits())
          .putLong(40, target.getLeastSignificantBits())
          .putLong(48, source.getMostSignificantBits())
          .putLong(56, source.getLeastSignificantBits())
          .putInt(64, rank)
          .putInt(68, size)
          .putInt(72, targetRank)
          .putInt(76, stripe)
          .putLong(80, epoch)
          .putLong(88, group)
          .putLong(96, window)
          .putLong(104, options)
          .array();
    }
  }

  /** FNV-1a over UTF-16 units, 64 bits. */
  static long fnv(String text) {
    long hash = 0xcbf2_9ce4_8422_2325L;
    for (int i = 0; i < text.length(); i++) {
      hash ^= text.charAt(i);
      hash *= 1_099_511_628_211L;
    }
    return hash;
  }

  static byte[] welcome(int status, int size, long window, long epoch) {
    return ByteBuffer.allocate(WELCOME_BYTES)
        .putLong(0, MAGIC)
        .put(8, release(WireVersion.RELEASE))
        .putInt(24, status)
        .putInt(28, size)
        .putLong(32, window)
        .putLong(40, epoch)
        .array();
  }

  /** The release in its 16 bytes. */
  static byte[] release(String name) {
    return Arrays.copyOf(name.getBytes(StandardCharsets.US_ASCII), RELEASE_BYTES);
  }

  /** What a dialler says to a welcome: "JGLOOGO" and the version. */
  static byte[] confirmation() {
    return ByteBuffer.allocate(CONFIRMATION_BYTES).putLong(0x4a47_4c4f_4f47_4f02L).array();
  }

  /** A header without fingerprint and credit. */
  static byte[] header(int opcode, long slot, long length) {
    return header(opcode, slot, length, 0);
  }

  static byte[] header(int opcode, long slot, long length, long credit) {
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    return header
        .put(0, (byte) opcode)
        .put(1, (byte) 'J')
        .put(2, (byte) 'L')
        .put(3, (byte) 'G')
        .putLong(8, slot)
        .putLong(16, length)
        .putLong(40, credit)
        .array();
  }

  /** A whole message with its payload behind it. */
  static byte[] frame(int opcode, long slot, byte[] payload) {
    return join(header(opcode, slot, payload.length), payload);
  }

  static byte[] join(byte[]... parts) {
    int length = 0;
    for (byte[] part : parts) {
      length += part.length;
    }
    ByteBuffer all = ByteBuffer.allocate(length);
    for (byte[] part : parts) {
      all.put(part);
    }
    return all.array();
  }

  /** A valid notice: rank 1 aborted with the message "why". */
  static byte[] why() {
    return ByteBuffer.allocate(12)
        .putInt(1)
        .put((byte) 4)
        .putShort((short) 0)
        .putShort((short) 3)
        .put("why".getBytes(StandardCharsets.US_ASCII))
        .array();
  }
}
