package io.jgloo.ps;

import io.jgloo.ps.handle.Responder;
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

  /** Executes requests of bytes, now or later. */
  @FunctionalInterface
  public interface BinaryHandler {
    /**
     * Executes a request, in the thread that moves messages: must be short and must not block; what
     * takes longer completes the future later, in any thread. An exception is reported to the
     * sender.
     *
     * @return the bytes of the reply
     */
    CompletableFuture<byte[]> handle(NodeId sender, int head, byte[] body);
  }

  static final int SERVICE = 0x5002;
  private static final int HEAD_BYTES = 8;

  /** A request to several nodes. */
  private record Pending(List<CompletableFuture<byte[]>> replies, long deadline) {}

  private final PsNode node;
  private final int app;
  private final BinaryHandler handler;
  private final AtomicLong next = new AtomicLong();
  private final Map<Long, Pending> pending = new ConcurrentHashMap<>();

  private SimpleApp(PsNode node, int app, BinaryHandler handler) {
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
    return openBinary(
        node,
        app,
        (sender, head, body) -> {
          String reply = handler.handle(sender, head, new String(body, StandardCharsets.UTF_8));
          byte[] bytes = (reply == null ? "" : reply).getBytes(StandardCharsets.UTF_8);
          return CompletableFuture.completedFuture(bytes);
        });
  }

  /** As {@link #open}, for bytes in place of text. */
  public static SimpleApp openBinary(PsNode node, int app, BinaryHandler handler) {
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
    byte[] body = new byte[in.remaining()];
    in.get(body);
    CompletableFuture<byte[]> reply;
    try {
      reply = handler.handle(sender, head, body);
    } catch (Throwable e) { // user code: its caller must hear of it
      reply = CompletableFuture.failedFuture(e);
    }
    CompletableFuture<Void> unused =
        reply.handle(
            (bytes, failure) -> {
              if (failure == null) {
                request.reply(KvProtocol.OK, Message.of(bytes));
              } else {
                request.reply(KvProtocol.ERROR, KvProtocol.text(failure.toString()));
              }
              return null;
            });
  }

  /**
   * Sends a request.
   *
   * @param destination number of a group, 1 to 7, or of a node, from 8 on
   * @return the timestamp of the request, for {@link #waitFor}
   * @throws IllegalArgumentException if there is no such destination
   */
  public long request(int head, String body, int destination, Duration timeout) {
    return request(head, body.getBytes(StandardCharsets.UTF_8), destination, timeout);
  }

  /** As {@link #request(int, String, int, Duration)}, with bytes. */
  public long request(int head, byte[] body, int destination, Duration timeout) {
    Members members = node.members();
    List<NodeId> nodes = members.topology().nodes(destination);
    ByteBuffer out =
        KvProtocol.allocate(HEAD_BYTES + body.length).putInt(app).putInt(head).put(body);
    long timestamp = next.getAndIncrement();
    long deadline = members.now() + Clock.nanos(timeout);
    List<CompletableFuture<byte[]>> replies =
        nodes.stream().map(to -> call(members, to, SERVICE, out, deadline)).toList();
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
    return waitForBytes(timestamp).stream()
        .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
        .toList();
  }

  /** As {@link #waitFor}, for bytes. */
  public List<byte[]> waitForBytes(long timestamp) {
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

  /**
   * Sends a request to a node.
   *
   * @return completes with the bytes of its reply, or with a {@link JGlooException}
   */
  static CompletableFuture<byte[]> call(
      Members members, NodeId to, int service, ByteBuffer content, long deadlineNanos) {
    AgentId agent = members.agent(to);
    if (agent == null) {
      return CompletableFuture.failedFuture(members.lost(to));
    }
    Message message = KvProtocol.message(content, List.of());
    return members
        .request(agent, service, message, Priority.NORMAL, deadlineNanos)
        .thenApply(
            reply -> {
              if (reply.status() != KvProtocol.OK) {
                String text = to + ": " + reply.text();
                throw new ServerErrorException(to, Responder.HANDLE_FAILED, text);
              }
              return reply.bytes();
            });
  }
}
