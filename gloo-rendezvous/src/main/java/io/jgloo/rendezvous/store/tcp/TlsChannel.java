package io.jgloo.rendezvous.store.tcp;

import io.jgloo.transport.tls.TlsContext;
import io.jgloo.transport.tls.TlsStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.security.cert.CertificateException;

/**
 * A client's bytes through TLS over a socket that does not block. A read that finds less than it
 * wants has taken all that was received, so the socket's readiness says when to read again.
 *
 * <p>Threads: one at a time; {@link #close} any. Owns: the socket.
 */
final class TlsChannel implements ByteChannel {
  private final SocketChannel socket;
  private final TlsContext context;
  private final TlsStream tls;
  private boolean full; // the socket has not taken all

  /**
   * Over a connected socket.
   *
   * @throws io.jgloo.transport.UnavailableException if the certificate of this process has expired
   */
  TlsChannel(SocketChannel socket, TlsContext context) {
    this.socket = socket;
    this.context = context;
    tls =
        context.stream(
            new TlsStream.Socket() {
              @Override
              public int read(ByteBuffer into) throws IOException {
                return socket.read(into);
              }

              @Override
              public int write(ByteBuffer from) throws IOException {
                int count = socket.write(from);
                full = from.hasRemaining();
                return count;
              }
            },
            true);
  }

  /**
   * Continues the handshake, and checks the server's certificate at its end.
   *
   * @return what to wait for before the next call, 0 if the handshake is complete
   * @throws CertificateException if the server is of another job
   */
  synchronized int handshake() throws IOException, CertificateException {
    if (!tls.handshake()) {
      return SelectionKey.OP_READ | (full ? SelectionKey.OP_WRITE : 0);
    }
    context.peer(tls.session());
    return 0;
  }

  @Override
  public synchronized int read(ByteBuffer into) throws IOException {
    int start = into.position();
    while (into.hasRemaining()) {
      ByteBuffer bytes = tls.read();
      int count = Math.min(bytes.remaining(), into.remaining());
      if (count == 0) {
        break;
      }
      into.put(bytes.duplicate().limit(bytes.position() + count));
      bytes.position(bytes.position() + count);
    }
    int count = into.position() - start;
    return count == 0 && tls.hasEnded() ? -1 : count;
  }

  @Override
  public synchronized int write(ByteBuffer from) throws IOException {
    return tls.write(from);
  }

  @Override
  public boolean isOpen() {
    return socket.isOpen();
  }

  /** A call in progress ends first; none of them blocks. */
  @Override
  public synchronized void close() throws IOException {
    tls.close();
    socket.close();
  }
}
