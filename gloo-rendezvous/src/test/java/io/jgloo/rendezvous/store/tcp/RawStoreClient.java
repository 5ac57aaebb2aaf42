package io.jgloo.rendezvous.store.tcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.HexFormat;

/**
 * A socket to a store server that sends and expects exact bytes, written as hex with 'text'
 * between.
 */
public final class RawStoreClient implements AutoCloseable {
  static final String VALIDATE = "00 cef7853c";

  private final Socket socket;

  RawStoreClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(60_000);
  }

  /** A connection that has shown the magic number. */
  static RawStoreClient validated(int port) throws IOException {
    RawStoreClient client = new RawStoreClient(port);
    client.send(VALIDATE);
    return client;
  }

  /** The bytes of a text such as {@code 01 'key' ff00}. */
  public static byte[] bytes(String text) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    String[] parts = text.split("'", -1);
    for (int i = 0; i < parts.length; i++) {
      byte[] part =
          i % 2 == 1
              ? parts[i].getBytes(UTF_8)
              : HexFormat.of().parseHex(parts[i].replaceAll("\\s", ""));
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  /** A u64. */
  static String u64(long value) {
    return HexFormat.of().toHexDigits(Long.reverseBytes(value));
  }

  /** A string field. */
  static String field(String text) {
    return u64(text.getBytes(UTF_8).length) + "'" + text + "'";
  }

  void send(String text) throws IOException {
    send(bytes(text));
  }

  /** Sends what the server closes the connection for, perhaps in the middle of it. */
  void sendRefused(byte[] bytes) throws IOException {
    try {
      send(bytes);
    } catch (SocketException closed) {
      // as it should be, which the next line makes sure of
    }
    expectClosed();
  }

  void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  void expect(String text) throws IOException {
    byte[] expected = bytes(text);
    byte[] actual = socket.getInputStream().readNBytes(expected.length);
    assertEquals(HexFormat.of().formatHex(expected), HexFormat.of().formatHex(actual));
  }

  /** Reads so many bytes, whatever they are; returns how many there were. */
  int skip(int bytes) throws IOException {
    return socket.getInputStream().readNBytes(bytes).length;
  }

  /** The server has closed the connection, or does so now, without another byte. */
  void expectClosed() throws IOException {
    int next;
    try {
      next = socket.getInputStream().read();
    } catch (SocketException reset) {
      return;
    }
    assertEquals(-1, next);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
