package io.jgloo.rendezvous.store.tcp;

import io.jgloo.transport.JobSecret.JobKey;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.Arrays;

/**
 * The server's side of a {@link StoreProof}: what a client sends after it has proved to have the
 * secret goes on to its session, and nothing before.
 *
 * <p>Threads: the server's loop only.
 */
final class StoreGate extends ChannelInboundHandlerAdapter {
  private static final int BEGIN_BYTES = 1 + Integer.BYTES;
  private static final int PING_BYTES = 1 + Integer.BYTES;

  private final StoreProof proof;
  private final StoreSession session;
  private final byte[] begin = new byte[BEGIN_BYTES + 1 + StoreProof.NONCE_BYTES];
  private final byte[] serverNonce = StoreProof.newNonce();
  private final byte[] mac = new byte[JobKey.MAC_BYTES];
  private int begun;
  private int proved;
  private boolean refused;

  StoreGate(StoreProof proof, StoreSession session) {
    this.proof = proof;
    this.session = session;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf in = (ByteBuf) message;
    boolean open = false;
    try {
      open = context.channel().isActive() && opens(context, in);
      if (open) {
        context.pipeline().remove(this);
        if (in.isReadable()) {
          context.fireChannelRead(in.retain());
        }
      }
    } finally {
      in.release();
    }
  }

  /** A client that finds the server's proof wrong closes the connection. */
  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (begun == begin.length && !refused) {
      refuse("it ended the connection before it proved to have the job secret");
    }
    context.fireChannelInactive();
  }

  private void refuse(String reason) {
    refused = true;
    session.rejectUnauthenticated(reason);
  }

  /** Whether the client has proved to have the secret. */
  private boolean opens(ChannelHandlerContext context, ByteBuf in) {
    if (begun < begin.length) {
      int now = Math.min(in.readableBytes(), begin.length - begun);
      in.readBytes(begin, begun, now);
      begun += now;
      if (!isRight(context) || begun < begin.length) {
        return false;
      }
      answer(context);
      if (in.isReadable()) {
        refuse("bytes before the server has proved to have the job secret");
        return false;
      }
    }
    int now = Math.min(in.readableBytes(), mac.length - proved);
    in.readBytes(mac, proved, now);
    proved += now;
    if (proved < mac.length) {
      return false;
    }
    boolean right = proof.isClientMac(mac, clientNonce(), serverNonce);
    if (!right) {
      refuse("it has another job secret");
    }
    return right;
  }

  /** Whether what has come may become a proof; else the connection is closed. */
  private boolean isRight(ChannelHandlerContext context) {
    byte[] expected = new byte[BEGIN_BYTES + 1];
    Unpooled.wrappedBuffer(expected)
        .setByte(0, StoreOpcode.VALIDATE.code())
        .setIntLE(1, StoreOpcode.MAGIC)
        .setByte(BEGIN_BYTES, StoreProof.OPCODE);
    int known = Math.min(begun, expected.length);
    if (Arrays.equals(begin, 0, known, expected, 0, known)) {
      return true;
    }
    boolean validated = Arrays.equals(begin, 0, BEGIN_BYTES, expected, 0, BEGIN_BYTES);
    if (validated && begin[BEGIN_BYTES] == StoreOpcode.PING.code()) {
      if (begun < BEGIN_BYTES + PING_BYTES) {
        return false; // else the answer might be lost with what is still to come
      }
      send(context, Unpooled.buffer(Integer.BYTES).writeIntLE(StoreProof.NEEDED));
    }
    refuse("it has no job secret");
    return false;
  }

  private byte[] clientNonce() {
    return Arrays.copyOfRange(begin, BEGIN_BYTES + 1, begin.length);
  }

  private void answer(ChannelHandlerContext context) {
    byte[] tag = proof.serverMac(clientNonce(), serverNonce);
    send(context, Unpooled.wrappedBuffer(serverNonce, tag));
  }

  private static void send(ChannelHandlerContext context, ByteBuf bytes) {
    ChannelFuture unused = context.writeAndFlush(bytes, context.voidPromise());
  }
}
