package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.memory.Memory;
import io.jgloo.transport.tcp.socket.KeepAlive;
import io.jgloo.transport.tcp.socket.Link;
import io.jgloo.transport.tcp.socket.Pollable;
import io.jgloo.transport.tcp.socket.Sockets;
import io.jgloo.transport.tcp.stream.Stream;
import io.jgloo.transport.tcp.wire.AuthenticationFailure;
import io.jgloo.transport.tcp.wire.Challenge;
import io.jgloo.transport.tcp.wire.Hello;
import io.jgloo.transport.tcp.wire.Welcome;
import io.jgloo.transport.tls.TlsContext;
import io.jgloo.transport.tls.TlsIdentity;
import io.jgloo.transport.tls.TlsStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.cert.CertificateException;
import java.util.Arrays;
import javax.net.ssl.SSLException;

/**
 * A connection whose bytes are encrypted: the device's thread does the handshake, the thread that
 * drives the mesh encrypts and decrypts.
 *
 * <p>A read that finds less than it wants has taken everything, from the socket and of what was
 * decrypted before; so readiness is that of the socket, except where a caller leaves bytes unread:
 * then {@link #holdsBytes} is true, and the mesh's source serves the stream again.
 *
 * <p><i>Threads</i>: as those of its socket. <i>Owns</i>: the socket and the TLS stream.
 */
public final class TlsLink extends Link implements TlsStream.Socket {

  private static final int STAGING_BYTES = 64 << 10;
  private static final int SMALL_BYTES = 512;

  private final Link socket;
  private final TlsContext context;
  private final boolean dials;
  private final TlsStream tls;
  private ByteBuffer staging = ByteBuffer.allocateDirect(SMALL_BYTES);
  private TlsIdentity peer; // once the handshake is complete
  private boolean heard; // bytes of the peer after the handshake

  private TlsLink(Link socket, TlsContext context, boolean dials) {
    this.socket = socket;
    this.context = context;
    this.dials = dials;
    tls = context.stream(this, dials);
    socket.front = this;
    readable = socket.readable;
    writable = socket.writable;
  }

  /**
   * The link itself if there is no TLS, else one over it.
   *
   * @param context null without TLS
   */
  static Link over(Link link, TlsContext context, boolean dials) throws IOException {
    if (context == null) {
      return link;
    }
    boolean made = false;
    try {
      Link secured = new TlsLink(link, context, dials);
      made = true;
      return secured;
    } catch (UnavailableException e) {
      throw new AuthenticationFailure(e.getMessage(), e);
    } finally {
      if (!made) {
        link.close();
      }
    }
  }

  /** Starts to connect; see {@link Sockets#dial}. */
  static Link dial(ConnectDevice device, InetSocketAddress listener, String congestion)
      throws IOException {
    return over(device.sockets().dial(listener, congestion), device.encryption(), true);
  }

  @Override
  public Pollable descriptor() {
    return socket;
  }

  @Override
  public void descriptorNews() {
    readable |= socket.readable;
    writable |= socket.writable;
    if (front != null) {
      front.descriptorNews();
    }
  }

  @Override
  public boolean secure() throws IOException {
    if (peer != null) {
      return true;
    }
    socket.readable = true;
    try {
      if (tls.handshake()) {
        peer = context.peer(tls.session());
        readable = true;
        writable = true;
      }
      return peer != null;
    } catch (TlsStream.PlaintextException e) {
      throw plaintext(e);
    } catch (SSLException e) {
      throw new AuthenticationFailure("TLS: " + TlsContext.reason(e), e);
    } catch (CertificateException e) {
      throw new AuthenticationFailure(e.getMessage(), e);
    }
  }

  /** Tells a JGloo rank without TLS why it is refused. */
  private IOException plaintext(TlsStream.PlaintextException e) throws IOException {
    byte[] bytes = e.bytes();
    boolean hello = begins(bytes, Hello.MAGIC) || begins(bytes, Challenge.MAGIC);
    if (!hello) {
      return new ProtocolFailure("the first bytes are not of TLS", e);
    }
    if (!dials) {
      byte[] answer = new Welcome(Welcome.Status.TLS_NEEDED, 0, 0, 0).encode();
      write(staging.clear().put(answer).flip());
    }
    return new AuthenticationFailure("it does not use TLS", e);
  }

  private static boolean begins(byte[] bytes, long word) {
    byte[] magic = ByteBuffer.allocate(Long.BYTES).putLong(word).array();
    return Arrays.equals(bytes, Arrays.copyOf(magic, bytes.length));
  }

  /** Another protocol: a port scanner's, say. */
  private static final class ProtocolFailure extends IOException {
    private static final long serialVersionUID = 1L;

    ProtocolFailure(String message, Throwable cause) {
      super(message, cause);
    }
  }

  @Override
  public boolean mayBe(int rank) {
    return context.mayBe(peer, rank);
  }

  @Override
  public String identity() {
    return peer.toString();
  }

  @Override
  public Link withoutTls() {
    tls.close();
    socket.front = null;
    return socket;
  }

  @Override
  public boolean holdsBytes() {
    return tls.holdsBytes();
  }

  @Override
  public int read(long address, int length) throws IOException {
    socket.readable = true;
    int total = 0;
    try {
      while (total < length) {
        ByteBuffer bytes = tls.read();
        int count = Math.min(bytes.remaining(), length - total);
        if (count == 0) {
          break;
        }
        Memory.copy(Memory.addressOf(bytes) + bytes.position(), address + total, count);
        bytes.position(bytes.position() + count);
        total += count;
      }
    } catch (SSLException e) {
      throw refused(e);
    }
    heard |= total > 0;
    if (!tls.hasEnded()) {
      return total;
    }
    endsSoon();
    return total > 0 ? total : -1;
  }

  /** An alert, at first, is how the peer refuses this side's certificate. */
  private IOException refused(SSLException e) {
    if (heard) {
      throw new ProtocolException("bytes that TLS refuses: " + TlsContext.reason(e));
    }
    return new AuthenticationFailure("TLS: " + TlsContext.reason(e), e);
  }

  @Override
  public int write(long address, int length) throws IOException {
    return (int) write(address, length, 0, 0);
  }

  @Override
  public long write(long first, int firstLength, long second, int secondLength) throws IOException {
    long all = (long) firstLength + secondLength;
    long total = 0;
    while (total < all) {
      int wanted = (int) Math.min(all - total, STAGING_BYTES);
      stage(first, firstLength, second, total, wanted);
      int written = tls.write(staging);
      total += written;
      if (written < wanted) {
        break;
      }
    }
    return total;
  }

  private void stage(long first, int firstLength, long second, long from, int count) {
    if (staging.capacity() < count) {
      staging =
          ByteBuffer.allocateDirect(count <= STAGING_BYTES / 4 ? STAGING_BYTES / 4 : STAGING_BYTES);
    }
    staging.clear().limit(count);
    long to = Memory.addressOf(staging);
    int head = (int) Math.max(0, Math.min(count, firstLength - from));
    Memory.copy(first + from, to, head);
    if (head < count) {
      Memory.copy(second + (from + head - firstLength), to + head, count - head);
    }
  }

  // The socket below.

  @Override
  public int read(ByteBuffer into) throws IOException {
    if (!socket.readable) {
      return 0;
    }
    int wanted = into.remaining();
    int count = socket.read(Memory.addressOf(into) + into.position(), wanted);
    socket.found(count, wanted);
    if (count > 0) {
      into.position(into.position() + count);
    }
    return count;
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    int wanted = from.remaining();
    int count = socket.write(Memory.addressOf(from) + from.position(), wanted);
    from.position(from.position() + count);
    if (count < wanted) {
      socket.writable = false;
    }
    return count;
  }

  @Override
  public boolean finishConnect() throws IOException {
    return socket.finishConnect();
  }

  @Override
  public void lookAgain() {
    readable = true;
    if (holdsBytes() && socket.owner instanceof Stream stream) {
      stream.mesh().source().serveAgain(stream); // the poller does not know of these bytes
    } else {
      socket.lookAgain();
    }
  }

  @Override
  public void shutdown() throws IOException {
    tls.closeOutput();
    socket.shutdown();
  }

  @Override
  public void shutdownOutput() throws IOException {
    tls.closeOutput();
    socket.shutdownOutput();
  }

  @Override
  public void congestionControl(String name) {
    socket.congestionControl(name);
  }

  @Override
  public void keepAlive(KeepAlive settings) {
    socket.keepAlive(settings);
  }

  @Override
  public InetSocketAddress remoteAddress() {
    return socket.remoteAddress();
  }

  @Override
  public void close() {
    tls.close();
    socket.close();
  }
}
