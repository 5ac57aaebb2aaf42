package io.jgloo.ps.server;

import io.jgloo.ps.membership.Members;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.message.PendingCall;
import io.jgloo.rpc.message.ReplyHandler;
import io.jgloo.transport.JGlooException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Sends the pushes of a server, in the order in which they are executed, to the server that keeps a
 * replica of its keys.
 *
 * <p>A push that cannot be sent ends the replica, unless that server is lost: it would lack the
 * push.
 *
 * <p><i>Threads</i>: under the lock of the server.
 */
public final class Forwarder {

  private static final long LONG_NANOS = TimeUnit.DAYS.toNanos(365);

  private final Members members;
  private final int app;
  private final Object lock;
  private AgentId to;
  private long next;

  Forwarder(Members members, int app, Object lock) {
    this.members = members;
    this.app = app;
    this.lock = lock;
  }

  /** Begins with a replica that has all pushes that were executed before. */
  void begin(AgentId replica) {
    to = replica;
    next = 1;
  }

  /** A server is lost. */
  void lost(AgentId server) {
    to = server.equals(to) ? null : to;
  }

  /** Whether there is a replica. */
  public boolean isOn() {
    return to != null;
  }

  /** Takes the number of the next push, before that is executed. */
  public long takeNumber() {
    return next++;
  }

  /**
   * Sends a push or a tick.
   *
   * @param done runs when the replica has it, or is lost
   */
  public void forward(
      long number, AgentId worker, KvProtocol.Head head, RequestContent content, Runnable done) {
    AgentId replica = to;
    boolean isInline = content.bytes() <= KvProtocol.INLINE_BYTES;
    KvProtocol.Head its = head.forwarded(number, isInline);
    int room = isInline ? (int) content.bytes() : 0;
    ByteBuffer out = KvProtocol.allocate(KvProtocol.WORKER_BYTES + KvProtocol.REQUEST_BYTES + room);
    out.putInt(worker.rank()).putLong(worker.incarnation());
    its.write(out);
    List<Block> blocks = content.copy(isInline ? out : null);
    PendingCall unused =
        members
            .messenger()
            .request(
                replica,
                KvProtocol.REPLICA_SERVICE,
                KvProtocol.message(out, blocks),
                Priority.NORMAL,
                members.now() + LONG_NANOS,
                new ReplyHandler() {
                  @Override
                  public void replied(int status, Message reply) {
                    reply.close();
                    done.run();
                  }

                  @Override
                  public void failed(JGlooException cause) {
                    drop(replica);
                    done.run();
                  }
                });
  }

  private void drop(AgentId replica) {
    boolean isFirst;
    synchronized (lock) {
      isFirst = replica.equals(to);
      lost(replica);
    }
    if (isFirst && members.isUp(members.topology().node(replica.rank()))) {
      drop(members, app, replica);
    }
  }

  /** Tells a server that its replica is out of date. */
  static void drop(Members members, int app, AgentId replica) {
    byte[] drop = KvProtocol.allocate(4).putInt(app).array();
    CompletableFuture<Void> unused = members.messenger().send(replica, KvProtocol.DROP_KIND, drop);
  }
}
