package io.jgloo.rpc.message;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.codec.Block;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Blocks of messages that were sent, until their receivers have fetched them.
 *
 * <p><i>Threads</i>: the one that runs the agent's events, but for {@link #reserve}. <i>Owns</i>:
 * the blocks it was given.
 */
final class OutgoingBlocks {

  private static final class Supply {
    final AgentId to;
    final Block block;
    int underWay;
    boolean released;

    Supply(AgentId to, Block block) {
      this.to = to;
      this.block = block;
    }

    void release() {
      released = true;
      closeIfIdle();
    }

    void closeIfIdle() {
      if (released && underWay == 0) {
        block.close();
      }
    }
  }

  private final MeshIo port;
  private final AtomicLong ids = new AtomicLong(1);
  private final Map<Long, Supply> supplies = new HashMap<>();

  OutgoingBlocks(MeshIo port) {
    this.port = port;
  }

  /** Reserves ids that follow each other and returns the first. */
  long reserve(int count) {
    return ids.getAndAdd(count);
  }

  /** Keeps the blocks of a message ready for its receiver. */
  void add(AgentId to, List<Block> blocks, long first) {
    for (int i = 0; i < blocks.size(); i++) {
      supplies.put(first + i, new Supply(to, blocks.get(i)));
    }
  }

  int size() {
    return supplies.size();
  }

  /**
   * Sends the part of a block that a peer asks for; false, and nothing changes, if it has no right
   * to it.
   */
  boolean pull(AgentId from, long id, long offset, long length, long slot) {
    Supply supply = supplies.get(id);
    if (supply == null
        || !supply.to.equals(from)
        || offset < 0
        || length <= 0
        || offset > supply.block.length() - length
        || slot <= 0
        || slot >> 56 != 0) {
      return false;
    }
    supply.underWay++;
    port.sendPart(
        from.rank(),
        slot,
        supply.block,
        offset,
        length,
        moved -> {
          supply.underWay--; // if it was not moved, the peer asks for it again
          supply.closeIfIdle();
        });
    return true;
  }

  /** The receiver needs a block no more; false if it is not that peer's. */
  boolean release(AgentId from, long id) {
    Supply supply = supplies.get(id);
    if (supply == null || !supply.to.equals(from)) {
      return false;
    }
    supplies.remove(id);
    supply.release();
    return true;
  }

  /** Gives up the blocks of a message that was not sent. */
  void withdraw(long first, int count) {
    for (int i = 0; i < count; i++) {
      Supply supply = supplies.remove(first + i);
      if (supply != null) {
        supply.release();
      }
    }
  }

  /** A peer is lost, or all are if null. */
  void end(@Nullable AgentId to) {
    List<Supply> ended = new ArrayList<>();
    supplies.values().removeIf(supply -> (to == null || supply.to.equals(to)) && ended.add(supply));
    ended.forEach(Supply::release);
  }
}
