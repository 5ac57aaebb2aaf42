package io.jgloo.ps;

import io.jgloo.ps.membership.Members;
import io.jgloo.ps.node.NodeId;
import io.jgloo.ps.server.Replication;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.message.IncomingRequest;
import io.jgloo.rpc.message.Messenger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The applications at a server, by number: gives each what is sent to it.
 *
 * <p><i>Threads</i>: any. <i>Owns</i>: the applications.
 */
final class Applications implements AutoCloseable {

  private final Map<Integer, KvServer<?>> servers = new ConcurrentHashMap<>();

  /**
   * @throws IllegalStateException if there is one of this number
   */
  void add(int app, KvServer<?> server) {
    if (servers.putIfAbsent(app, server) != null) {
      throw new IllegalStateException("application " + app + " is registered already");
    }
  }

  /** Receives what a messenger has for applications. */
  void attach(Messenger messenger) {
    messenger.serve(KvProtocol.SERVICE, this::route);
    messenger.serve(KvProtocol.FILTERS_SERVICE, this::filters);
    messenger.serve(KvProtocol.REPLICA_SERVICE, this::replica);
    messenger.serve(KvProtocol.STATE_SERVICE, this::state);
    messenger.serve(KvProtocol.CHECKPOINT_SERVICE, this::checkpoint);
    messenger.handle(KvProtocol.DROP_KIND, this::drop);
    messenger.handle(KvProtocol.SKIP_KIND, this::skip);
  }

  /** The node has started. */
  void start(NodeId node) {
    servers.values().forEach(server -> server.start(node));
  }

  /** A node is lost. */
  void lost(AgentId peer) {
    servers.values().forEach(server -> server.lost(peer));
  }

  @Override
  public void close() {
    servers.values().forEach(KvServer::close);
  }

  /** Hands a request to the server of its application. */
  private void route(IncomingRequest request) {
    KvProtocol.Head head = KvProtocol.Head.read(request.message());
    KvServer<?> server = head == null ? null : servers.get(head.origin().app());
    if (head == null) {
      request.refuse("malformed request");
      request.message().close();
    } else if (server == null) {
      if (request.begin()) {
        request.reply(KvProtocol.UNKNOWN, KvProtocol.EMPTY);
      }
      request.message().close();
    } else {
      server.received(head, request);
    }
  }

  /** Answers which of the filters that a worker asks for are accepted. */
  private void filters(IncomingRequest request) {
    Message message = request.message();
    if (message.length() == 8 && request.begin()) {
      ByteBuffer in = KvProtocol.buffer(message);
      KvServer<?> server = servers.get(in.getInt());
      int accepted = server == null ? 0 : in.getInt() & server.filters();
      request.reply(
          KvProtocol.OK, KvProtocol.message(KvProtocol.allocate(4).putInt(accepted), List.of()));
    } else {
      request.refuse("malformed request");
    }
    message.close();
  }

  /** The replicas of the application that a message begins with; null if it has none. */
  private @Nullable Replication<?> find(ByteBuffer in, int bytes) {
    return in.remaining() < bytes ? null : replicas(servers.get(in.getInt()));
  }

  private static @Nullable Replication<?> replicas(@Nullable KvServer<?> server) {
    return server == null ? null : server.replication();
  }

  /** Hands a push for a replica to its application. */
  private void replica(IncomingRequest request) {
    Message message = request.message();
    ByteBuffer in = KvProtocol.buffer(message);
    boolean isLong = message.length() >= KvProtocol.WORKER_BYTES + KvProtocol.REQUEST_BYTES;
    Replication<?> replicas =
        isLong ? replicas(servers.get(in.getInt(KvProtocol.WORKER_BYTES + Short.BYTES))) : null;
    if (replicas == null) {
      request.refuse("malformed push for a replica");
      message.close();
    } else {
      replicas.replicate(request);
    }
  }

  /** Answers with all values of a server. */
  private void state(IncomingRequest request) {
    Message message = request.message();
    ByteBuffer in = KvProtocol.buffer(message);
    Replication<?> replicas = find(in, 16);
    if (replicas == null) {
      request.refuse("malformed request for the values of a server");
    } else {
      replicas.give(request, in.getInt(), in.getLong());
    }
    message.close();
  }

  /** Writes or reads a snapshot, in a thread of its own. */
  private void checkpoint(IncomingRequest request) {
    Message message = request.message();
    ByteBuffer in = KvProtocol.buffer(message);
    KvServer<?> server = message.length() == 5 ? servers.get(in.getInt()) : null;
    boolean isWrite = server != null && in.get() == 1;
    message.close();
    if (server == null) {
      request.refuse("malformed request, or the application is not registered");
    } else if (request.begin()) {
      Members.inThread(
          "jgloo-ps-checkpoint",
          () -> {
            String error = server.checkpoint(isWrite);
            request.reply(
                error.isEmpty() ? KvProtocol.OK : KvProtocol.ERROR, KvProtocol.text(error));
          });
    }
  }

  /** A replica is out of date. */
  private void drop(AgentId from, byte[] content) {
    ByteBuffer in = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
    Replication<?> replicas = find(in, 4);
    if (replicas != null) {
      replicas.drop(from);
    }
  }

  /** A worker will not send a request of this number. */
  private void skip(AgentId from, byte[] content) {
    ByteBuffer in = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
    if (content.length == KvProtocol.SKIP_BYTES) {
      KvServer<?> server = servers.get(in.getInt());
      int customer = in.getInt();
      int stream = in.getInt();
      if (server != null && stream >= 0 && stream < KvProtocol.STREAMS) {
        server.skip(from, customer, stream, in.getLong());
      }
    }
  }
}
