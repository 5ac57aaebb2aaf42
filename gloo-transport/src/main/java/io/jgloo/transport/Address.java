package io.jgloo.transport;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * The address of one rank's mesh: device kind, host, and bytes only that device understands.
 *
 * <p>Ranks publish the {@linkplain #encode encoded} form in a store; what is read back is untrusted
 * until it has been {@linkplain #decode decoded}. Encoded layout, big-endian:
 *
 * <pre>
 *   0  u8   version = 1
 *   1  u16  length of device, then its UTF-8 bytes
 *      u16  length of host, then its UTF-8 bytes
 *      u16  length of text, then its UTF-8 bytes
 *      u16  length of payload, then its bytes
 * </pre>
 */
public final class Address {

  /** Longest encoded form; a full mesh address of a device with per-pair parts must fit. */
  public static final int MAX_ENCODED_BYTES = 4 * 0xffff + 16;

  private static final int VERSION = 1;

  private final String device;
  private final String host;
  private final String text;
  private final byte[] payload;

  /**
   * @param device name of the device kind, such as {@code tcp}
   * @param host identity of the host; two ranks share a host exactly if these are equal
   * @param text form for people, such as {@code 10.0.0.1:4711}
   * @param payload bytes for the peer's device, at most 65535
   */
  public Address(String device, String host, String text, byte[] payload) {
    this.device = Objects.requireNonNull(device, "device");
    this.host = Objects.requireNonNull(host, "host");
    this.text = Objects.requireNonNull(text, "text");
    this.payload = payload.clone();
    if (payload.length > 0xffff) {
      throw new IllegalArgumentException(
          "payload must be at most 65535 bytes, but is " + payload.length);
    }
  }

  public String device() {
    return device;
  }

  /** Identity of the host; ranks with equal hosts can share memory and cores. */
  public String host() {
    return host;
  }

  public byte[] payload() {
    return payload.clone();
  }

  /** The form that {@link #decode} reads. */
  public byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      out.writeByte(VERSION);
      writeBlock(out, device.getBytes(StandardCharsets.UTF_8));
      writeBlock(out, host.getBytes(StandardCharsets.UTF_8));
      writeBlock(out, text.getBytes(StandardCharsets.UTF_8));
      writeBlock(out, payload);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads an encoded address.
   *
   * @throws ProtocolException if the bytes are not one whole encoded address
   */
  public static Address decode(byte[] encoded) {
    if (encoded.length > MAX_ENCODED_BYTES) {
      throw new ProtocolException("an address of " + encoded.length + " bytes is too long");
    }
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(encoded));
    try {
      int version = in.readUnsignedByte();
      if (version != VERSION) {
        throw new ProtocolException("address version " + version + " is not " + VERSION);
      }
      String device = new String(readBlock(in), StandardCharsets.UTF_8);
      String host = new String(readBlock(in), StandardCharsets.UTF_8);
      String text = new String(readBlock(in), StandardCharsets.UTF_8);
      Address address = new Address(device, host, text, readBlock(in));
      if (in.available() > 0) {
        throw new ProtocolException(in.available() + " bytes follow the end of an address");
      }
      return address;
    } catch (IOException e) {
      throw new ProtocolException("an address of " + encoded.length + " bytes is cut short", e);
    }
  }

  private static void writeBlock(DataOutputStream out, byte[] block) throws IOException {
    out.writeShort(block.length);
    out.write(block);
  }

  private static byte[] readBlock(DataInputStream in) throws IOException {
    byte[] block = new byte[in.readUnsignedShort()];
    in.readFully(block);
    return block;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Address that
        && device.equals(that.device)
        && host.equals(that.host)
        && Arrays.equals(payload, that.payload);
  }

  @Override
  public int hashCode() {
    return 31 * device.hashCode() + Arrays.hashCode(payload);
  }

  /** The form for people, such as {@code tcp 10.0.0.1:4711}. */
  @Override
  public String toString() {
    return device + " " + text;
  }
}
