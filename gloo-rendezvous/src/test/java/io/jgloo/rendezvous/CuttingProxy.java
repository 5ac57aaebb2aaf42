package io.jgloo.rendezvous;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Passes on the connections to a port of this host until they are cut. */
final class CuttingProxy implements AutoCloseable {
  private record Connection(Socket client, Socket server) {
    /** Resets both sides; bytes that are under way are lost. */
    void cut() {
      for (Socket socket : List.of(client, server)) {
        try {
          socket.setSoLinger(true, 0);
          socket.close();
        } catch (IOException e) {
          // It is closed already.
        }
      }
    }
  }

  private final ServerSocket listener;
  private final int target;
  private final AtomicBoolean losesRequest = new AtomicBoolean();
  private final AtomicBoolean losesReply = new AtomicBoolean();
  private final List<Connection> connections = new ArrayList<>();

  CuttingProxy(int target) throws IOException {
    this.target = target;
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Cuts the connection of the next reply instead of passing it on: the request was executed. */
  void cutAtNextReply() {
    losesReply.set(true);
  }

  /** Cuts the connection of the next request instead of passing it on. */
  void cutAtNextRequest() {
    losesRequest.set(true);
  }

  /** Cuts one of the living connections, chosen by the number; none if there is none. */
  synchronized void cut(int number) {
    connections.removeIf(each -> each.client.isClosed());
    if (!connections.isEmpty()) {
      connections.remove(number % connections.size()).cut();
    }
  }

  private static void start(Runnable body) {
    Thread thread = new Thread(body, "cutting-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        Connection connection =
            new Connection(client, new Socket(InetAddress.getLoopbackAddress(), target));
        synchronized (this) {
          connections.add(connection);
        }
        start(() -> pass(connection, connection.client, connection.server, losesRequest));
        start(() -> pass(connection, connection.server, connection.client, losesReply));
      }
    } catch (IOException e) {
      // The listener is closed.
    }
  }

  private static void pass(Connection connection, Socket from, Socket to, AtomicBoolean cut) {
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      int length = in.read(buffer);
      while (length > 0 && !cut.compareAndSet(true, false)) {
        out.write(buffer, 0, length);
        length = in.read(buffer);
      }
    } catch (IOException e) {
      // It was cut at one of its ends.
    } finally {
      connection.cut();
    }
  }

  @Override
  public synchronized void close() throws IOException {
    listener.close();
    connections.forEach(Connection::cut);
  }
}
