package io.jgloo.transport.tls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ReferenceCountUtil;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;

/**
 * A byte stream encrypted by a TLS engine over a socket that does not block.
 *
 * <p>What a write has encrypted and the socket did not take counts as written only when the socket
 * has taken it: the caller offers the same bytes again, as to a socket that is full.
 *
 * <p><i>Threads</i>: one at a time, which also runs the engine's tasks. <i>Owns</i>: the engine and
 * its memory, not the socket. <i>Fails</i>: {@link SSLException} if the peer cannot be
 * authenticated, breaks the protocol or refuses this side.
 */
public final class TlsStream implements AutoCloseable {

  /** The bytes below. */
  public interface Socket {

    /** Reads what is there: 0 if nothing is, -1 at the end. */
    int read(ByteBuffer into) throws IOException;

    /** Writes what fits. */
    int write(ByteBuffer from) throws IOException;
  }

  /** The peer has sent bytes without TLS. */
  public static final class PlaintextException extends SSLException {
    private static final long serialVersionUID = 1L;

    private final byte[] bytes;

    PlaintextException(byte[] bytes) {
      super("it does not use TLS");
      this.bytes = bytes;
    }

    /** The first of them, at most 8. */
    public byte[] bytes() {
      return bytes.clone();
    }
  }

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
  private static final int RECORDS = 4; // that are read or written at a time under load
  private static final int LEAST_TYPE = 20; // of records, see RFC 8446, 5.1
  private static final int GREATEST_TYPE = 24;

  /** Memory that can grow, as a buffer of the JDK. */
  private static final class Room {
    private ByteBuf memory;
    private ByteBuffer bytes; // what it holds, from position to limit

    Room(int capacity) {
      allocate(capacity);
    }

    private void allocate(int capacity) {
      memory = ByteBufAllocator.DEFAULT.directBuffer(capacity, capacity);
      bytes = memory.internalNioBuffer(0, capacity).slice().limit(0);
    }

    void grow(int capacity) {
      ByteBuf old = memory;
      ByteBuffer held = bytes;
      allocate(capacity);
      bytes.limit(capacity).put(held).flip();
      old.release();
    }
  }

  private final SSLEngine engine;
  private final Socket socket;
  private final Room in;
  private final Room out;
  private final Room plain;
  private int owed; // bytes of the caller that are encrypted in out and not reported yet
  private SSLEngineResult.HandshakeStatus next; // what the engine wants; null at first
  private boolean done; // the handshake
  private boolean first = true; // nothing has come
  private boolean hungry = true; // what has come is less than a record
  private boolean ended;
  private boolean closed;

  /** Whether a stream that begins with this byte may be TLS. */
  public static boolean mayBegin(byte first) {
    return first >= LEAST_TYPE && first <= GREATEST_TYPE;
  }

  TlsStream(SSLEngine engine, Socket socket) {
    this.engine = engine;
    this.socket = socket;
    int record = engine.getSession().getPacketBufferSize();
    in = new Room(record);
    out = new Room(record);
    plain = new Room(engine.getSession().getApplicationBufferSize());
  }

  /**
   * Continues the handshake.
   *
   * @return whether it is complete
   */
  public boolean handshake() throws IOException {
    if (next == null) {
      engine.beginHandshake();
      next = engine.getHandshakeStatus();
    }
    try {
      while (!done && flush()) {
        switch (next) {
          case NEED_TASK -> runTasks();
          case NEED_WRAP -> wrap(NOTHING);
          case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
            if (hungry && !receive()) {
              return false;
            }
            unwrap();
          }
          default -> done = true;
        }
      }
      return done;
    } catch (SSLException e) {
      sendAlert();
      throw e;
    }
  }

  /** What the handshake has agreed on, with the peer's certificate. */
  public SSLSession session() {
    return engine.getSession();
  }

  /** Whether bytes have come that were not read, decrypted or not. */
  public boolean holdsBytes() {
    return !closed && (plain.bytes.hasRemaining() || in.bytes.hasRemaining());
  }

  /** Whether the peer has ended its stream, and all before that was read. */
  public boolean hasEnded() {
    return ended && !plain.bytes.hasRemaining();
  }

  /** Decrypted bytes to take from; empty if none have come. */
  public ByteBuffer read() throws IOException {
    requireOpen();
    try {
      while (!plain.bytes.hasRemaining() && !ended) {
        if (hungry && !receive()) {
          break;
        }
        unwrap();
        answer();
      }
      return plain.bytes;
    } catch (SSLException e) {
      sendAlert();
      throw e;
    }
  }

  /**
   * Encrypts and writes.
   *
   * @param from whose bytes that count as written are taken; of those of the call before that did
   *     not, it has the same
   * @return bytes that count as written
   */
  public int write(ByteBuffer from) throws IOException {
    requireOpen();
    if (!flush()) {
      return 0;
    }
    int total = settle(from);
    while (from.hasRemaining()) {
      ByteBuffer rest = from.duplicate();
      while (rest.hasRemaining() && hasRoom(rest.remaining())) {
        owed += wrap(rest);
      }
      if (!flush()) {
        break;
      }
      total += settle(from);
    }
    return total;
  }

  private void requireOpen() throws IOException {
    if (closed) {
      throw new IOException("the connection is closed");
    }
  }

  private int settle(ByteBuffer from) {
    int count = Math.min(owed, from.remaining());
    from.position(from.position() + count);
    owed -= count;
    return count;
  }

  /** Whether one more record fits; the memory grows when several are to be written. */
  private boolean hasRoom(int length) {
    int record = engine.getSession().getPacketBufferSize();
    boolean small = out.bytes.capacity() < RECORDS * record;
    if (small && out.bytes.hasRemaining() && length > 0) {
      out.grow(RECORDS * record);
    }
    return out.bytes.capacity() - out.bytes.limit() >= record;
  }

  /** Encrypts a record behind what waits to be written; returns bytes taken. */
  private int wrap(ByteBuffer from) throws SSLException {
    int start = out.bytes.position();
    int end = out.bytes.limit();
    out.bytes.limit(out.bytes.capacity()).position(end);
    try {
      SSLEngineResult result = engine.wrap(from, out.bytes);
      if (result.getStatus() == SSLEngineResult.Status.CLOSED && from.hasRemaining()) {
        throw new SSLException("the TLS stream is closed");
      }
      next = result.getHandshakeStatus();
      end += result.bytesProduced();
      return result.bytesConsumed();
    } finally {
      out.bytes.limit(end).position(start);
    }
  }

  /** Writes what is encrypted; whether all of it went. */
  private boolean flush() throws IOException {
    while (out.bytes.hasRemaining()) {
      if (socket.write(out.bytes) == 0) {
        return false;
      }
    }
    out.bytes.position(0).limit(0);
    return true;
  }

  /** Reads what is there behind what is left; whether anything was. */
  private boolean receive() throws IOException {
    ByteBuffer bytes = in.bytes;
    if (bytes.remaining() == bytes.capacity() && bytes.capacity() > 0) {
      in.grow(RECORDS * engine.getSession().getPacketBufferSize());
      bytes = in.bytes;
    }
    bytes.compact();
    int count;
    try {
      count = socket.read(bytes);
    } finally {
      bytes.flip();
    }
    if (count < 0 && !done) {
      throw new EOFException("the connection was closed during the TLS handshake");
    }
    ended |= count < 0;
    if (count > 0 && first) {
      first = false;
      requireRecord();
    }
    if (count > 0 && done && bytes.limit() == bytes.capacity()) {
      int more = RECORDS * engine.getSession().getPacketBufferSize();
      if (bytes.capacity() < more) {
        in.grow(more);
      }
    }
    hungry = count <= 0;
    return count > 0;
  }

  private void requireRecord() throws PlaintextException {
    if (!mayBegin(in.bytes.get(in.bytes.position()))) {
      byte[] begin = new byte[Math.min(Long.BYTES, in.bytes.remaining())];
      in.bytes.duplicate().get(begin);
      in.bytes.position(in.bytes.limit());
      throw new PlaintextException(begin);
    }
  }

  private void unwrap() throws IOException {
    plain.bytes.clear();
    SSLEngineResult result;
    try {
      result = engine.unwrap(in.bytes, plain.bytes);
    } finally {
      plain.bytes.flip();
    }
    next = result.getHandshakeStatus();
    switch (result.getStatus()) {
      case BUFFER_UNDERFLOW -> hungry = true;
      case BUFFER_OVERFLOW -> plain.grow(2 * plain.bytes.capacity());
      case CLOSED -> end();
      case OK -> hungry = !in.bytes.hasRemaining() && result.bytesProduced() == 0;
    }
  }

  /** An engine that refuses the peer may say so only when it is asked for the alert. */
  private void end() throws IOException {
    ended = true;
    if (!done) {
      for (int i = 0; i < RECORDS && flush(); i++) {
        wrap(NOTHING);
      }
      throw new EOFException("the connection was closed during the TLS handshake");
    }
  }

  /** Does what a record of the handshake asks for that comes later, such as new keys. */
  private void answer() throws IOException {
    while (true) {
      switch (next) {
        case NEED_TASK -> runTasks();
        case NEED_WRAP -> {
          if (!hasRoom(1)) {
            return; // the next write does it
          }
          int before = out.bytes.limit();
          wrap(NOTHING);
          if (out.bytes.limit() == before || !flush()) {
            return;
          }
        }
        default -> {
          return;
        }
      }
    }
  }

  private void runTasks() {
    for (Runnable task = engine.getDelegatedTask();
        task != null;
        task = engine.getDelegatedTask()) {
      task.run();
    }
    next = engine.getHandshakeStatus();
    hungry = false; // BoringSSL goes on when it is called again, without more bytes
  }

  /** Tells the peer why this side gives up. */
  private void sendAlert() {
    try {
      boolean sent = false;
      for (int i = 0; i < RECORDS && !sent; i++) {
        int before = out.bytes.limit();
        if (hasRoom(1)) {
          wrap(NOTHING);
        }
        sent = out.bytes.limit() == before;
      }
      flush();
    } catch (IOException e) {
      // The peer sees the end of the connection.
    }
  }

  /** Tells the peer that nothing more will come, unless a record is cut off. */
  public void closeOutput() {
    if (!closed && done && !out.bytes.hasRemaining()) {
      engine.closeOutbound();
      sendAlert();
    }
  }

  /** Gives the memory back, and sends nothing. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      ended = true;
      for (Room room : Arrays.asList(in, out, plain)) {
        room.memory.release();
        room.bytes = NOTHING;
      }
      ReferenceCountUtil.safeRelease(engine);
    }
  }
}
