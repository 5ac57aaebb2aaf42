package io.jgloo.ps;

import io.jgloo.ps.kv.ServerErrorException;
import io.jgloo.ps.membership.Members;
import io.jgloo.ps.node.NodeId;
import io.jgloo.ps.node.Topology;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.message.IncomingRequest;
import io.jgloo.transport.Clock;
import io.jgloo.transport.JGlooException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

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

  /** A request to several nodes. */
  private record Pending(List<CompletableFuture<String>> replies, long deadline) {}

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
    String body = StandardCharsets.UTF_8.decode(in).toString();
    try {
      String reply = handler.handle(sender, head, body);
      request.reply(KvProtocol.OK, KvProtocol.text(reply == null ? "" : reply));
    } catch (Throwable e) { // user code: its caller must hear of it
      request.reply(KvProtocol.ERROR, KvProtocol.text(e.toString()));
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
    byte[] text = body.getBytes(StandardCharsets.UTF_8);
    ByteBuffer out =
        KvProtocol.allocate(HEAD_BYTES + text.length).putInt(app).putInt(head).put(text);
    long deadline = members.now() + Clock.nanos(timeout);
    List<CompletableFuture<String>> replies =
        members.topology().nodes(destination).stream()
            .map(to -> call(members, to, out, deadline))
            .toList();
    long timestamp = next.getAndIncrement();
    pending.put(timestamp, new Pending(replies, deadline));
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
    CompletableFuture<Void> all =
        CompletableFuture.allOf(request.replies.toArray(CompletableFuture[]::new));
    node.members().awaitEnd(all::isDone, request.deadline);
    try {
      return request.replies.stream().map(CompletableFuture::join).toList();
    } catch (CompletionException e) {
      JGlooException cause = (JGlooException) Objects.requireNonNull(e.getCause());
      throw cause.again("request " + timestamp);
    }
  }

  private static CompletableFuture<String> call(
      Members members, NodeId to, ByteBuffer content, long deadlineNanos) {
    AgentId agent = members.agent(to);
    if (agent == null) {
      return CompletableFuture.failedFuture(members.lost(to));
    }
    Message message = KvProtocol.message(content, List.of());
    return members
        .request(agent, SERVICE, message, Priority.NORMAL, deadlineNanos)
        .thenApply(
            reply -> {
              if (reply.status() != KvProtocol.OK) {
                String text = to + ": " + reply.text();
                throw new ServerErrorException(to, ServerErrorException.HANDLE_FAILED, text);
              }
              return reply.text();
            });
  }
}
