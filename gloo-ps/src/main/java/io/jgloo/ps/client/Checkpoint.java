package io.jgloo.ps.client;

import io.jgloo.ps.handle.Responder;
import io.jgloo.ps.kv.ServerErrorException;
import io.jgloo.ps.membership.Barriers;
import io.jgloo.ps.membership.Members;
import io.jgloo.ps.node.NodeId;
import io.jgloo.ps.node.Topology;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.message.PendingCall;
import io.jgloo.rpc.message.ReplyHandler;
import io.jgloo.transport.Clock;
import io.jgloo.transport.JGlooException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Asks all servers to write or to read their snapshots. */
public final class Checkpoint {

  private Checkpoint() {}

  /** Completes when all have done it. */
  public static CompletableFuture<Void> request(
      Members members, int app, boolean isWrite, Duration timeout) {
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    for (NodeId server : members.topology().nodes(Topology.SERVERS)) {
      CompletableFuture<Void> end = new CompletableFuture<>();
      ends.add(end);
      AgentId agent = members.agent(server);
      if (agent == null) {
        end.completeExceptionally(members.lost(server));
        continue;
      }
      byte flag = (byte) (isWrite ? 1 : 0);
      PendingCall unused =
          members
              .messenger()
              .request(
                  agent,
                  KvProtocol.CHECKPOINT_SERVICE,
                  KvProtocol.message(KvProtocol.allocate(5).putInt(app).put(flag), List.of()),
                  Priority.NORMAL,
                  members.now() + Clock.nanos(timeout),
                  new ReplyHandler() {
                    @Override
                    public void replied(int status, Message reply) {
                      String text = Barriers.text(reply);
                      reply.close();
                      if (status == KvProtocol.OK) {
                        end.complete(null);
                      } else {
                        end.completeExceptionally(
                            new ServerErrorException(
                                server, Responder.HANDLE_FAILED, server + ": " + text));
                      }
                    }

                    @Override
                    public void failed(JGlooException cause) {
                      end.completeExceptionally(cause);
                    }
                  });
    }
    return CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new));
  }
}
