package io.jgloo.ps.server;

import io.jgloo.ps.membership.Members;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.codec.Message;
import java.nio.ByteBuffer;
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
    ByteBuffer out = KvProtocol.allocate(KvProtocol.WORKER_BYTES + KvProtocol.REQUEST_BYTES);
    out.putInt(worker.rank()).putLong(worker.incarnation());
    head.forwarded(number).write(out);
    Message message = KvProtocol.message(out, KvProtocol.WORKER_BYTES, content.copies());
    CompletableFuture<Void> unused =
        members
            .request(
                replica,
                KvProtocol.REPLICA_SERVICE,
                message,
                Priority.NORMAL,
                members.now() + LONG_NANOS)
            .handle(
                (reply, failure) -> {
                  if (failure == null) {
                    reply.message().close();
                  } else {
                    drop(replica);
                  }
                  done.run();
                  return null;
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
