package io.jgloo.ps;

import io.jgloo.ps.kv.Halves;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.server.Snapshot;
import io.jgloo.ps.server.StateReader;
import java.io.BufferedOutputStream;
import java.io.BufferedWriter;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A snapshot of a server, for other programs: lists keys with their values, without what an
 * optimizer keeps for them.
 *
 * <p><i>Threads</i>: any; the file must not change.
 */
public final class SnapshotFile {

  /** Is given each key with its values, little-endian. */
  @FunctionalInterface
  public interface Reader {
    void read(long key, ByteBuffer values) throws IOException;
  }

  private final Path file;
  private final StateReader.Header header;

  private SnapshotFile(Path file, StateReader.Header header) {
    this.file = file;
    this.header = header;
  }

  /**
   * Opens a file.
   *
   * @throws IOException if it cannot be read, or is damaged
   */
  public static SnapshotFile open(Path file) throws IOException {
    try (DataInputStream in = Snapshot.open(file)) {
      return new SnapshotFile(file, StateReader.Header.read(in, "snapshot " + file));
    }
  }

  /** Rank of the server. */
  public int rank() {
    return header.rank();
  }

  /** Number of servers at that time. */
  public int servers() {
    return header.servers();
  }

  /** Type of the values. */
  public ValueType<?> type() {
    return ValueType.of(header.type());
  }

  /** What the handle is, such as {@code sum/1}. */
  public String handle() {
    return header.handle();
  }

  /**
   * Reads all keys, in no order.
   *
   * @throws IOException if the file cannot be read, or the reader throws it
   */
  public void forEach(Reader reader) throws IOException {
    try (DataInputStream in = Snapshot.open(file)) {
      StateReader.Header unused = StateReader.Header.read(in, "snapshot " + file);
      StateReader.read(
          in,
          (key, bytes) ->
              reader.read(
                  key,
                  ByteBuffer.wrap(bytes, 0, (bytes.length - header.tailBytes()) / header.vectors())
                      .slice()
                      .order(ByteOrder.LITTLE_ENDIAN)),
          (kind, shard, content) -> {});
    }
  }

  /**
   * Writes a line for each key: the key, unsigned, and its values, with spaces between.
   *
   * @throws IOException if a file cannot be read or written
   */
  public void writeText(Path text) throws IOException {
    ValueType<?> type = type();
    try (BufferedWriter out = Files.newBufferedWriter(text)) {
      forEach(
          (key, values) -> {
            out.write(Long.toUnsignedString(key));
            while (values.hasRemaining()) {
              out.write(" " + number(type, values));
            }
            out.newLine();
          });
    }
  }

  private static Object number(ValueType<?> type, ByteBuffer values) {
    return switch (type.code()) {
      case 0 -> values.getFloat();
      case 1 -> values.getDouble();
      case 2 -> values.getInt();
      case 3 -> values.getLong();
      case 4 -> values.get();
      default -> Halves.ofHalf(values.getShort());
    };
  }

  /**
   * Writes two arrays in the format of NumPy: the keys, and the values, a row for each key.
   *
   * @throws IOException if a file cannot be read or written, or keys have different numbers of
   *     values
   */
  public void writeNpy(Path keys, Path values) throws IOException {
    List<Long> all = new ArrayList<>();
    int[] length = {-1};
    forEach(
        (key, its) -> {
          int count = its.remaining() / type().bytes();
          if (length[0] >= 0 && length[0] != count) {
            throw new IOException(
                ("key " + Long.toUnsignedString(key) + " has " + count + " values, others ")
                    + (length[0] + ": write text"));
          }
          length[0] = count;
          all.add(key);
        });
    try (OutputStream out = create(keys, "<u8", "(" + all.size() + ",)")) {
      ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
      for (long key : all) {
        out.write(bytes.putLong(0, key).array());
      }
    }
    try (OutputStream out =
        create(values, type().numpy(), "(" + all.size() + ", " + Math.max(0, length[0]) + ")")) {
      forEach((key, its) -> out.write(its.array(), its.arrayOffset(), its.remaining()));
    }
  }

  /** Begins an array: magic, version 1.0, and a header padded to a multiple of 64 bytes. */
  private static OutputStream create(Path path, String type, String shape) throws IOException {
    String text = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
    int length = (10 + text.length() + 1 + 63) / 64 * 64 - 10;
    byte[] padded =
        (text + " ".repeat(length - text.length() - 1) + "\n").getBytes(StandardCharsets.US_ASCII);
    OutputStream out = new BufferedOutputStream(Files.newOutputStream(path), 1 << 16);
    out.write(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0});
    out.write(length & 0xff);
    out.write(length >> 8);
    out.write(padded);
    return out;
  }
}
