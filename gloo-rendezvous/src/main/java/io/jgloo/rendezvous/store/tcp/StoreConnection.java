package io.jgloo.rendezvous.store.tcp;

import io.jgloo.rendezvous.time.Deadline;
import io.jgloo.rendezvous.time.Interruption;
import io.jgloo.transport.AuthenticationException;
import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.tls.TlsContext;
import io.jgloo.transport.tls.TlsStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.security.cert.CertificateException;
import java.util.Arrays;
import javax.net.ssl.SSLException;

/**
 * A client's connection to a store server: bytes out and answers in, each by a deadline.
 *
 * <p>A selector of its own rather than a blocking channel, so that a write has a deadline, and an
 * interrupt leaves the connection open.
 *
 * <p>Threads: one at a time; {@link #close} any, which wakes the one that waits.
 *
 * <p>Fails: {@link SocketTimeoutException} at the deadline, any other {@link IOException} when the
 * connection is lost, interruption. The connection is usable only after a timeout of {@link
 * #readByte(Deadline)} with nothing received.
 */
final class StoreConnection implements AutoCloseable {
  /**
   * Longer than the values of any known server; a peer that is no store may announce any length.
   */
  private static final long MAX_ANSWER_BYTES = 256L << 20;

  private static final int PIECE_BYTES = 64 << 10; // the JDK caches a direct buffer of this size
  private static final long LONGEST_SELECT_MILLIS = 60_000;

  private final SocketChannel socket;
  private final Selector selector;
  private final SelectionKey key;
  private volatile ByteChannel channel; // the socket, or TLS over it
  private final ByteBuffer in = ByteBuffer.allocate(8192).order(ByteOrder.LITTLE_ENDIAN).flip();

  private StoreConnection(SocketChannel channel, Selector selector) throws IOException {
    socket = channel;
    this.channel = channel;
    this.selector = selector;
    key = channel.register(selector, SelectionKey.OP_CONNECT);
  }

  /** Connects to one address. */
  static StoreConnection open(InetSocketAddress address, Deadline deadline) throws IOException {
    SocketChannel channel = SocketChannel.open();
    Selector selector = null;
    try {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
      selector = channel.provider().openSelector();
      StoreConnection connection = new StoreConnection(channel, selector);
      boolean done = channel.connect(address);
      while (!done) {
        connection.select(SelectionKey.OP_CONNECT, deadline);
        done = channel.finishConnect();
      }
      if (address.equals(channel.getLocalAddress())) {
        // The system chose the server's own port for this side: the socket is both ends.
        throw new ConnectException("connected to itself, no server listens there");
      }
      return connection;
    } catch (IOException | RuntimeException e) {
      channel.close();
      if (selector != null) {
        selector.close();
      }
      throw e;
    }
  }

  /**
   * Does the handshake of TLS; all that follows is encrypted.
   *
   * @throws AuthenticationException if the server or this process is not accepted by the other, or
   *     the server answers without TLS
   * @throws StoreProof.UnansweredException if it closes the connection, as one without TLS does
   */
  void secure(TlsContext tls, Deadline deadline) throws IOException {
    try {
      TlsChannel secured = new TlsChannel(socket, tls);
      channel = secured;
      for (int next = secured.handshake(); next != 0; next = secured.handshake()) {
        select(next, deadline);
      }
      if (readByte(deadline) != StoreTls.ADMITTED) {
        throw new StoreProtocolException("the server is not a store: wrong byte after TLS");
      }
    } catch (TlsStream.PlaintextException e) {
      throw new AuthenticationException("the server of the store does not use TLS", e);
    } catch (SSLException | CertificateException e) {
      throw new AuthenticationException("the server of the store: " + TlsContext.reason(e), e);
    } catch (UnavailableException e) {
      throw new AuthenticationException(e.getMessage(), e);
    } catch (StoreProtocolException | SocketTimeoutException e) {
      throw e;
    } catch (IOException e) {
      throw new StoreProof.UnansweredException("a handshake of TLS, which it may not use", e);
    }
  }

  void send(StoreRequestBuffer request, Deadline deadline) throws IOException {
    ByteBuffer out = request.bytes();
    int end = out.limit();
    while (out.position() < end) {
      out.limit(Math.min(end, out.position() + PIECE_BYTES));
      if (channel.write(out) == 0) {
        select(SelectionKey.OP_WRITE, deadline);
      }
    }
  }

  byte readByte(Deadline deadline) throws IOException {
    fill(1, deadline);
    return in.get();
  }

  int readWord(Deadline deadline) throws IOException {
    fill(Integer.BYTES, deadline);
    return in.getInt();
  }

  long readNumber(Deadline deadline) throws IOException {
    fill(Long.BYTES, deadline);
    return in.getLong();
  }

  /** Whether all that was received and not read is this word. */
  boolean holds(int word) {
    return in.remaining() == Integer.BYTES && in.getInt(in.position()) == word;
  }

  /** So many bytes, at most some thousand. */
  byte[] readBytes(int count, Deadline deadline) throws IOException {
    fill(count, deadline);
    byte[] bytes = new byte[count];
    in.get(bytes);
    return bytes;
  }

  byte[] readValue(Deadline deadline) throws IOException {
    long length = readNumber(deadline);
    if (length < 0 || length > MAX_ANSWER_BYTES) {
      throw new StoreProtocolException(
          "the answer announces " + Long.toUnsignedString(length) + " bytes");
    }
    byte[] value = new byte[(int) Math.min(length, PIECE_BYTES)];
    int filled = 0;
    while (filled < length) {
      fill(1, deadline);
      int now = (int) Math.min(length - filled, in.remaining());
      if (filled + now > value.length) {
        // Grows with the bytes that arrive, not with the announced length.
        long doubled = Math.min(length, 2L * value.length);
        value = Arrays.copyOf(value, (int) Math.max(filled + now, doubled));
      }
      in.get(value, filled, now);
      filled += now;
    }
    return value;
  }

  /** Whether the connection is open and has no unexpected bytes. */
  boolean isQuiet() {
    try {
      return !in.hasRemaining() && channel.read(in.clear()) == 0;
    } catch (IOException e) {
      return false;
    } finally {
      in.flip();
    }
  }

  @Override
  public void close() throws IOException {
    try {
      selector.close(); // wakes a select
    } finally {
      channel.close();
    }
  }

  private void fill(int bytes, Deadline deadline) throws IOException {
    while (in.remaining() < bytes) {
      in.compact();
      int received;
      try {
        received = channel.read(in);
      } finally {
        in.flip();
      }
      if (received < 0) {
        throw new EOFException("the server closed the connection");
      }
      if (received == 0) {
        select(SelectionKey.OP_READ, deadline);
      }
    }
  }

  private void select(int interest, Deadline deadline) throws IOException {
    try {
      key.interestOps(interest);
      int ready = 0;
      while (ready == 0) {
        if (Thread.currentThread().isInterrupted()) {
          throw Interruption.during("waiting for the store", null);
        }
        if (deadline.passed()) {
          throw new SocketTimeoutException("no answer in time");
        }
        ready = selector.select(deadline.remainingMillis(LONGEST_SELECT_MILLIS));
        selector.selectedKeys().clear();
      }
    } catch (ClosedSelectorException | java.nio.channels.CancelledKeyException e) {
      throw new IOException("connection closed", e);
    }
  }
}
