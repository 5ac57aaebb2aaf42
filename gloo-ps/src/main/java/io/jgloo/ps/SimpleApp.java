package io.jgloo.ps;

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
import io.jgloo.rpc.message.IncomingRequest;
import io.jgloo.rpc.message.PendingCall;
import io.jgloo.rpc.message.ReplyHandler;
import io.jgloo.transport.Clock;
import io.jgloo.transport.JGlooException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An application of requests with a number and a text, between any nodes.
 *
 * <p><i>Threads</i>: any.
 */
public final class SimpleApp {

  /** Executes requests. */
  @FunctionalInterface
  public interface Handler {
    /**
     * Executes a request, in the thread that moves messages: must be short and must not block. An
     * exception is reported to the sender.
     *
     * @return the text of the reply
     */
    String handle(NodeId sender, int head, String body);
  }

  static final int SERVICE = 0x5002;
  private static final int HEAD_BYTES = 8;
  private static final Comparator<NodeId> ORDER =
      Comparator.comparing(NodeId::role).thenComparingInt(NodeId::rank);

  private final PsNode node;
  private final int app;
  private final Handler handler;
  private final AtomicLong next = new AtomicLong();
  private final Map<Long, Pending> pending = new ConcurrentHashMap<>();

  private SimpleApp(PsNode node, int app, Handler handler) {
    this.node = node;
    this.app = app;
    this.handler = handler;
  }

  /**
   * Registers an application at a node, before or after its start.
   *
   * @param app its number, the same at all nodes
   * @throws IllegalStateException if the node has this application
   */
  public static SimpleApp open(PsNode node, int app, Handler handler) {
    SimpleApp simple = new SimpleApp(node, app, handler);
    node.register(app, simple);
    return simple;
  }

  static void route(Map<Integer, SimpleApp> apps, Topology topology, IncomingRequest request) {
    Message message = request.message();
    int app = message.length() < HEAD_BYTES ? -1 : KvProtocol.buffer(message).getInt();
    SimpleApp simple = apps.get(app);
    if (simple == null) {
      request.refuse("simple application " + app + " is not registered");
    } else if (request.begin()) {
      simple.handle(topology.node(request.from().rank()), request, message);
    }
    message.close();
  }

  private void handle(NodeId sender, IncomingRequest request, Message message) {
    ByteBuffer in = KvProtocol.buffer(message).position(4);
    int head = in.getInt();
    String reply;
    int status = KvProtocol.OK;
    try {
      reply = handler.handle(sender, head, StandardCharsets.UTF_8.decode(in).toString());
    } catch (Throwable e) { // user code: its caller must hear of it
      status = KvProtocol.ERROR;
      reply = e.toString();
    }
    request.reply(status, Barriers.text(reply == null ? "" : reply));
  }

  /** A request to several nodes. */
  private static final class Pending {
    final AtomicInteger left;
    final Map<NodeId, String> replies = new TreeMap<>(ORDER);
    final long deadline;
    volatile @Nullable JGlooException failure;
    volatile boolean done;

    Pending(int nodes, long deadline) {
      left = new AtomicInteger(nodes);
      this.deadline = deadline;
    }

    ReplyHandler of(NodeId to) {
      return new ReplyHandler() {
        @Override
        public void replied(int status, Message reply) {
          String text = Barriers.text(reply);
          reply.close();
          if (status == KvProtocol.OK) {
            synchronized (replies) {
              replies.put(to, text);
            }
            ended(null);
          } else {
            ended(new ServerErrorException(to, Responder.HANDLE_FAILED, to + ": " + text));
          }
        }

        @Override
        public void failed(JGlooException cause) {
          ended(cause);
        }
      };
    }

    void ended(@Nullable JGlooException cause) {
      if (cause != null) {
        failure = cause;
      }
      if (left.decrementAndGet() == 0) {
        done = true;
      }
    }
  }

  /**
   * Sends a request.
   *
   * @param destination number of a group, 1 to 7, or of a node, from 8 on
   * @return the timestamp of the request, for {@link #waitFor}
   * @throws IllegalArgumentException if there is no such destination
   */
  public long request(int head, String body, int destination, Duration timeout) {
    Members members = node.members();
    List<NodeId> nodes = members.topology().nodes(destination);
    byte[] text = body.getBytes(StandardCharsets.UTF_8);
    ByteBuffer out =
        KvProtocol.allocate(HEAD_BYTES + text.length).putInt(app).putInt(head).put(text);
    long timestamp = next.getAndIncrement();
    Pending request = new Pending(nodes.size(), members.now() + Clock.nanos(timeout));
    pending.put(timestamp, request);
    for (NodeId to : nodes) {
      AgentId agent = members.agent(to);
      if (agent == null) {
        request.ended(members.lost(to));
      } else {
        PendingCall unused =
            members
                .messenger()
                .request(
                    agent,
                    SERVICE,
                    KvProtocol.message(out, List.of()),
                    Priority.NORMAL,
                    request.deadline,
                    request.of(to));
      }
    }
    return timestamp;
  }

  /**
   * Waits for the replies to a request, once.
   *
   * @return the texts of the nodes, in the order of {@link Topology#nodes}
   * @throws IllegalArgumentException if there is no such request, or it was waited for
   * @throws JGlooException if a node did not execute it, or did not answer in time
   */
  public List<String> waitFor(long timestamp) {
    Pending request = pending.remove(timestamp);
    if (request == null) {
      throw new IllegalArgumentException("there is no request " + timestamp);
    }
    Members members = node.members();
    while (!request.done && !members.await(() -> request.done, request.deadline + 1_000_000_000L)) {
      members.messenger().wakeup(); // the timer that ends the request is late
    }
    if (request.failure != null) {
      throw request.failure.again("request " + timestamp);
    }
    return List.copyOf(request.replies.values());
  }
}
