package io.jgloo.collectives.execution;

import io.jgloo.collectives.DataType;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Pair;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Sends and receives messages of the application's own, distinguished by tags.
 *
 * <p>Both sides must agree on length and type. Messages of one tag between two ranks arrive in the
 * order in which they were sent; different tags do not wait for each other.
 *
 * <p><em>Threads</em>: any. <em>Fails</em>: at its deadline or on interruption a message of which
 * no byte has moved is withdrawn and the group lives on; otherwise the group fails.
 */
public final class Mailbox {

  private static final int IDLE_MESSAGES = 256;

  /** One of several messages that are started together. */
  public record Posting(boolean sends, int peer, long tag, DataType type, Region memory) {}

  private final Driver driver;
  private final Mesh mesh;
  private final CompletionQueue queue;
  private final Pair[] pairs;
  private final boolean fingerprints;
  private final ArrayDeque<Message> idle = new ArrayDeque<>();

  Mailbox(Driver driver, Mesh mesh, CompletionQueue queue, Pair[] pairs, boolean fingerprints) {
    this.fingerprints = fingerprints;
    this.driver = driver;
    this.mesh = mesh;
    this.queue = queue;
    this.pairs = pairs;
  }

  /**
   * Sends; returns when the memory may be used again, which says nothing about the peer.
   *
   * @throws JGlooException if the message cannot be sent
   */
  public void send(int peer, long tag, DataType type, Region memory, long timeoutNanos) {
    driver.run(bound(idle().to(peer, tag), type, memory), timeoutNanos);
  }

  /** Starts to send. */
  public Pending startSend(int peer, long tag, DataType type, Region memory, long timeoutNanos) {
    return driver.start(bound(idle().to(peer, tag), type, memory), timeoutNanos);
  }

  /**
   * Receives.
   *
   * @throws JGlooException if no message comes
   */
  public void recv(int peer, long tag, DataType type, Region memory, long timeoutNanos) {
    driver.run(bound(idle().from(peer, tag), type, memory), timeoutNanos);
  }

  /** Starts to receive. */
  public Pending startRecv(int peer, long tag, DataType type, Region memory, long timeoutNanos) {
    return driver.start(bound(idle().from(peer, tag), type, memory), timeoutNanos);
  }

  /**
   * Receives the earliest message from any of a set of ranks.
   *
   * @return the rank it came from
   * @throws JGlooException if no message comes
   */
  public int recvAny(BitSet peers, long tag, DataType type, Region memory, long timeoutNanos) {
    Message message = bound(idle().fromAny(peers, tag), type, memory);
    return driver.run(message, timeoutNanos);
  }

  /**
   * Starts several messages, all receives before the first send; those of one direction, peer and
   * tag in their order. If one cannot be started, the others have ended when this throws.
   */
  public List<Pending> start(List<Posting> postings, long timeoutNanos) {
    List<Message> messages = new ArrayList<>(postings.size());
    try {
      for (Posting each : postings) {
        if (!each.sends) {
          messages.add(bound(idle().from(each.peer, each.tag), each.type, each.memory));
        }
      }
      for (Posting each : postings) {
        if (each.sends) {
          messages.add(bound(idle().to(each.peer, each.tag), each.type, each.memory));
        }
      }
    } catch (RuntimeException | Error e) {
      messages.forEach(Message::release);
      throw e;
    }
    return driver.start(messages, timeoutNanos);
  }

  /** Starts to send octets in a space of slots other than the application's. */
  public Pending startSend(int space, int peer, long number, Region memory, long timeoutNanos) {
    Message message = idle().to(peer, number).in(space);
    return driver.start(bound(message, DataType.UINT8, memory), timeoutNanos);
  }

  /** Starts to receive octets in a space of slots other than the application's. */
  public Pending startRecv(int space, int peer, long number, Region memory, long timeoutNanos) {
    Message message = idle().from(peer, number).in(space);
    return driver.start(bound(message, DataType.UINT8, memory), timeoutNanos);
  }

  private Message bound(Message message, DataType type, Region memory) {
    return message.bind(memory, fingerprints ? Fingerprint.pointToPoint(type) : 0);
  }

  private Message idle() {
    driver.check();
    synchronized (idle) {
      Message message = idle.pollFirst();
      return message == null ? new Message(this, driver, mesh, queue, pairs) : message;
    }
  }

  void give(Message message) {
    synchronized (idle) {
      if (idle.size() < IDLE_MESSAGES) {
        idle.addFirst(message);
      }
    }
  }
}
