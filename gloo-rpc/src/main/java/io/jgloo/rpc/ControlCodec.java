package io.jgloo.rpc;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.codec.MessageReader;
import io.jgloo.rpc.codec.MessageWriter;
import io.jgloo.rpc.rref.protocol.ForkId;
import io.jgloo.rpc.rref.protocol.Message;
import io.jgloo.rpc.rref.protocol.RRefId;
import io.jgloo.rpc.rref.protocol.Reason;
import io.jgloo.transport.ProtocolException;
import java.util.Arrays;
import java.util.List;

/**
 * Ids and control messages as bytes.
 *
 * <pre>
 *   agent    i32 rank, i64 incarnation
 *   ref      agent owner, agent creator, i64 number
 *   fork     ref, agent creator, agent holder, i64 number
 *   message  i8 type, then: types 0 to 4: fork; type 5: fork, i8 reason if refused
 * </pre>
 *
 * <p>REMOTE_CALL and FETCH carry values: they are requests of the messenger, and their answers its
 * replies.
 */
final class ControlCodec {

  private static final int FORK_REQUEST = 0;
  private static final int CHILD_ACCEPT = 1;
  private static final int USER_DELETE = 2;
  private static final int CANCEL = 3;
  private static final int WITHDRAW = 4;
  private static final int FORK_REPLY = 5;
  private static final int FENCED = 6;

  /** By the number that stands for them. */
  private static final List<Class<? extends Message>> TYPES =
      List.of(
          Message.ForkRequest.class,
          Message.ChildAccept.class,
          Message.UserDelete.class,
          Message.Cancel.class,
          Message.Withdraw.class,
          Message.ForkReply.class,
          Message.Fenced.class);

  private static final int MOST_BYTES = 72;

  private static final List<Reason> REASONS =
      List.of(Reason.CREATION_FAILED, Reason.DELETED, Reason.OWNER_LOST, Reason.CLOSED);

  private ControlCodec() {}

  static byte[] encode(Message message) {
    MessageWriter out = new MessageWriter(MOST_BYTES);
    out.putByte(TYPES.indexOf(message.getClass()));
    if (message.fork() != null) {
      writeFork(message.fork(), out);
    }
    if (message instanceof Message.ForkReply reply && reply.refused() != null) {
      out.putByte(number(reply.refused()));
    }
    io.jgloo.rpc.codec.Message bytes = out.message();
    return Arrays.copyOf(bytes.bytes(), bytes.length());
  }

  /**
   * @throws ProtocolException if the bytes are no control message
   */
  static Message decode(byte[] content) {
    MessageReader in = new MessageReader(io.jgloo.rpc.codec.Message.of(content));
    int type = in.getByte();
    Message message =
        switch (type) {
          case FORK_REQUEST -> new Message.ForkRequest(readFork(in));
          case CHILD_ACCEPT -> new Message.ChildAccept(readFork(in));
          case USER_DELETE -> new Message.UserDelete(readFork(in));
          case CANCEL -> new Message.Cancel(readFork(in));
          case WITHDRAW -> new Message.Withdraw(readFork(in));
          case FORK_REPLY ->
              new Message.ForkReply(readFork(in), in.remaining() == 0 ? null : readReason(in));
          case FENCED -> new Message.Fenced();
          default -> throw new ProtocolException("a control message of type " + type);
        };
    in.end();
    return message;
  }

  /** The number that stands for a reason. */
  static byte number(Reason reason) {
    return (byte) REASONS.indexOf(reason);
  }

  static Reason readReason(MessageReader in) {
    int number = in.getByte();
    if (number < 0 || number >= REASONS.size()) {
      throw new ProtocolException("a reason of number " + number);
    }
    return REASONS.get(number);
  }

  private static void writeFork(ForkId fork, MessageWriter out) {
    writeRef(fork.ref(), out);
    writeAgent(fork.creator(), out);
    writeAgent(fork.holder(), out);
    out.putLong(fork.number());
  }

  private static ForkId readFork(MessageReader in) {
    return new ForkId(readRef(in), readAgent(in), readAgent(in), readNumber(in));
  }

  static void writeRef(RRefId ref, MessageWriter out) {
    writeAgent(ref.owner(), out);
    writeAgent(ref.creator(), out);
    out.putLong(ref.number());
  }

  static RRefId readRef(MessageReader in) {
    return new RRefId(readAgent(in), readAgent(in), readNumber(in));
  }

  static void writeAgent(AgentId agent, MessageWriter out) {
    out.putInt(agent.rank()).putLong(agent.incarnation());
  }

  static AgentId readAgent(MessageReader in) {
    int rank = in.getInt();
    long incarnation = in.getLong();
    if (rank < 0 || incarnation < 1) {
      throw new ProtocolException("an agent of rank " + rank + ", incarnation " + incarnation);
    }
    return new AgentId(rank, incarnation);
  }

  static long readNumber(MessageReader in) {
    long number = in.getLong();
    if (number < 0) {
      throw new ProtocolException("a fork of number " + number);
    }
    return number;
  }
}
