package io.jgloo.transport.tcp;

import io.jgloo.transport.Address;
import io.jgloo.transport.tcp.connect.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.UUID;

/** A peer made of a plain blocking socket that says what the test wants. */
final class RoguePeer implements AutoCloseable {

  private static final int PATIENCE_MILLIS = 20_000;

  private final Socket socket;

  RoguePeer(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MILLIS);
  }

  /** Connects to whatever listens at an address. */
  static RoguePeer dial(Address address) throws IOException {
    InetSocketAddress listener = Endpoint.decode(address).listener();
    return new RoguePeer(new Socket(listener.getAddress(), listener.getPort()));
  }

  /** Listens on a port of its own. */
  static ServerSocket listen() throws IOException {
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    server.setSoTimeout(PATIENCE_MILLIS);
    return server;
  }

  /** What a listener that is no rank does with a connection. */
  interface Answer {
    void to(RoguePeer other) throws IOException;
  }

  /** Answers connections in turn, the last answer for ever, until the server is closed. */
  static void answer(ServerSocket server, List<Answer> answers) throws IOException {
    for (int attempt = 0; ; attempt++) {
      try (RoguePeer other = new RoguePeer(server.accept())) {
        answers.get(Math.min(attempt, answers.size() - 1)).to(other);
      } catch (SocketException e) {
        if (server.isClosed()) {
          return;
        }
      }
    }
  }

  /** An address as a mesh would publish it, of any listening process. */
  static Address address(UUID incarnation, InetSocketAddress listener) {
    byte[] payload = new Endpoint(incarnation, listener).encode();
    return new Address("tcp", "elsewhere", listener.toString(), payload);
  }

  RoguePeer say(byte[]... parts) throws IOException {
    socket.getOutputStream().write(WireBytes.join(parts));
    return this;
  }

  /** Says it; false if the other side has closed. */
  boolean sayIfHeard(byte[] part) throws IOException {
    try {
      say(part);
      return true;
    } catch (SocketException e) {
      return false;
    }
  }

  /** Exactly this many bytes from the other side. */
  byte[] hear(int bytes) throws IOException {
    byte[] heard = socket.getInputStream().readNBytes(bytes);
    if (heard.length < bytes) {
      throw new AssertionError("only " + heard.length + " bytes of " + bytes + ", then the end");
    }
    return heard;
  }

  /** Waits until the other side has closed; whether it said nothing more before. */
  boolean hearsTheEnd() throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException e) {
      return true; // closed with our bytes unread, which makes it a reset
    }
  }

  /** What comes until the other side has closed. */
  byte[] hearRest() throws IOException {
    return socket.getInputStream().readAllBytes();
  }

  /** Reads until the other side has closed. */
  void hearAll() throws IOException {
    try {
      socket.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
    } catch (SocketException e) {
      // A reset is an end too.
    }
  }

  /** Ends our side of the stream. */
  void finish() throws IOException {
    socket.shutdownOutput();
  }

  /** Ends our side of the stream, or all of it with a reset; unless it has been closed already. */
  void end(boolean byReset) throws IOException {
    try {
      if (byReset) {
        reset();
      } else {
        finish();
      }
    } catch (SocketException e) {
      // That is an end too.
    }
  }

  /** Closes so that the other side gets a reset. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
