package io.jgloo.rendezvous.store.tcp;

import io.jgloo.transport.AuthenticationException;
import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.tls.TlsContext;
import io.jgloo.transport.tls.TlsStream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateException;

/**
 * The server's side of TLS, below all that the protocol says: a client whose certificate is of the
 * job is sent the byte {@link #ADMITTED}, others are disconnected.
 *
 * <p>A client sends nothing after its handshake until it has received that byte: so it can always
 * read why it is refused, which a reset could destroy.
 *
 * <p>Threads: the server's loop only.
 */
final class StoreTls extends SslHandler {
  static final byte ADMITTED = 1;

  /** "JGTN": TLS is needed. */
  static final int NEEDED = 0x4a47544e;

  /** Certificates of several authorities have some thousand bytes. */
  private static final int MAX_HANDSHAKE_BYTES = 64 << 10;

  private final TlsContext tls;
  private final StoreSession session;
  private int received; // before it is admitted
  private boolean admitted;
  private boolean refused;

  private StoreTls(TlsContext tls, StoreSession session, ByteBufAllocator memory) {
    super(tls.context(false).newEngine(memory));
    this.tls = tls;
    this.session = session;
    setCumulator(StoreTls::gathered);
    setHandshakeTimeoutMillis(0); // the server ends those that take too long
    handshakeFuture().addListener(this::finished);
  }

  /**
   * Puts TLS below a session.
   *
   * @throws UnavailableException if the certificate of this process has expired
   */
  static void addTo(Channel client, TlsContext tls, StoreSession session) {
    client.pipeline().addLast(new StoreTls(tls, session, client.alloc()));
  }

  /** What a client without TLS reports when it has received {@link #NEEDED}. */
  static AuthenticationException needed() {
    return new AuthenticationException(
        "the server of the store requires TLS, but this process does not use it");
  }

  /** Copies, because the buffer of received bytes is the next client's ({@link StoreServer}). */
  private static ByteBuf gathered(ByteBufAllocator memory, ByteBuf held, ByteBuf in) {
    if (held.isReadable()) {
      return MERGE_CUMULATOR.cumulate(memory, held, in);
    }
    held.release();
    try {
      return memory.directBuffer(in.readableBytes()).writeBytes(in);
    } finally {
      in.release();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
    ByteBuf in = (ByteBuf) message;
    if (admitted || isAdmissible(context, in)) {
      super.channelRead(context, in);
    } else {
      in.release();
    }
  }

  /** Whether what has come may become a handshake; else the connection is closed. */
  private boolean isAdmissible(ChannelHandlerContext context, ByteBuf in) {
    if (refused) {
      return false;
    }
    byte first = in.getByte(in.readerIndex());
    if (received == 0 && !TlsStream.mayBegin(first)) {
      if (first == StoreOpcode.VALIDATE.code()) {
        ChannelFuture unused =
            context.writeAndFlush(Unpooled.buffer(Integer.BYTES).writeIntLE(NEEDED));
        refuse("it does not use TLS");
      } else {
        refuse("its first bytes are not of TLS");
      }
      return false;
    }
    received += in.readableBytes();
    if (received > MAX_HANDSHAKE_BYTES) {
      refuse("more than " + MAX_HANDSHAKE_BYTES + " bytes before the TLS handshake was complete");
    }
    return !refused;
  }

  private void finished(Future<? super Channel> handshake) {
    if (handshake.isSuccess()) {
      admit((Channel) handshake.getNow());
    } else if (received > 0 && !refused) { // the handler itself sends an alert and closes
      refused = true;
      boolean ended = handshake.cause() instanceof ClosedChannelException;
      session.countUnauthenticated(
          ended
              ? "it ended the connection during the TLS handshake"
              : "TLS: " + TlsContext.reason(handshake.cause()));
    }
  }

  private void admit(Channel client) {
    try {
      tls.peer(engine().getSession());
      admitted = true;
      ChannelFuture unused = client.writeAndFlush(Unpooled.buffer(1).writeByte(ADMITTED));
    } catch (CertificateException e) {
      refuse(e.getMessage());
    }
  }

  private void refuse(String reason) {
    refused = true;
    session.rejectUnauthenticated(reason);
  }
}
