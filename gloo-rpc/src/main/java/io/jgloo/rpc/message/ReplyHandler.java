package io.jgloo.rpc.message;

import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Message;
import io.jgloo.transport.JGlooException;
import org.jspecify.annotations.Nullable;

/**
 * Receives the outcome of a request: one of its methods is called, once.
 *
 * <p><i>Threads</i>: the one that runs the agent's events; must be short and must not block.
 */
public interface ReplyHandler {

  /**
   * Chooses the memory of a block of a reply, before it arrives. If the request is given up
   * meanwhile, {@link #failed} is called when nothing is written to that memory any more: at once,
   * unless a part of it is just arriving.
   *
   * @param status as that of {@link #replied}
   * @param head the reply without its blocks; empty if its bytes are a block themselves
   * @param index of the block
   * @param length of the block in bytes
   * @return a block of that length, which is closed with the reply or before {@link #failed}; null
   *     for memory of the messenger
   */
  default @Nullable Block memory(int status, Message head, int index, long length) {
    return null;
  }

  /**
   * The request was executed.
   *
   * @param status what the callee gave to {@link IncomingRequest#reply}
   * @param reply belongs to the receiver
   */
  void replied(int status, Message reply);

  /**
   * There is no reply.
   *
   * @param cause a {@code NotExecutedException} or an {@code OutcomeUnknownException}
   */
  void failed(JGlooException cause);
}
