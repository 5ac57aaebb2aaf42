package io.jgloo.transport.ibverbs;

import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.ibverbs.GrantedReceives.GrantedReceive;
import io.jgloo.transport.ibverbs.verbs.AsyncEvent;
import io.jgloo.transport.ibverbs.verbs.Verbs;
import io.jgloo.transport.ibverbs.verbs.VerbsException;
import java.util.ArrayDeque;

/**
 * The resources that a mesh has of its device: queue and channel, rings, the memory to copy
 * through, and the lines for it.
 *
 * <p><i>Threads</i>: under the mesh's lock. <i>Owns</i>: all of it but queue and channel, which the
 * engine closes.
 */
final class Resources {

  private final IbverbsMesh mesh;
  private final Adapter adapter;
  private final ArrayDeque<IbverbsLink> needy = new ArrayDeque<>();
  private final ArrayDeque<GrantedReceive> waiting = new ArrayDeque<>();
  private long channel;
  private long queue;
  private Slab slab;
  private BouncePool sendPool;
  private BouncePool receivePool;

  /**
   * Makes everything, links included.
   *
   * @param links to be filled
   */
  Resources(IbverbsMesh mesh, IbverbsLink[] links) {
    this.mesh = mesh;
    adapter = mesh.adapter();
    boolean made = false;
    try {
      make(links);
      made = true;
    } catch (VerbsException e) {
      throw new UnavailableException("cannot make " + mesh + ": " + e.getMessage(), e);
    } finally {
      if (!made) {
        abandon(links);
      }
    }
  }

  private void make(IbverbsLink[] links) throws VerbsException {
    Verbs verbs = adapter.verbs();
    int peers = links.length - 1;
    long entries = Math.max(1, 2L * adapter.settings().depth() * peers);
    if (entries > adapter.limits().maxQueueEntries()) {
      throw new UnavailableException(
          "%s needs a completion queue of %d entries, %s allows %d; a smaller attribute depth helps"
              .formatted(mesh, entries, adapter, adapter.limits().maxQueueEntries()));
    }
    channel = verbs.createChannel(adapter.context());
    queue = verbs.createQueue(adapter.context(), (int) entries, channel);
    if (peers == 0) {
      return;
    }
    slab = new Slab(adapter, peers, mesh + ", for its rings,");
    sendPool = new BouncePool(adapter, mesh + ", to send from,");
    receivePool = new BouncePool(adapter, mesh + ", to receive into,");
    sendPool.open();
    receivePool.open();
    int place = 0;
    for (int peer = 0; peer < links.length; peer++) {
      if (peer != mesh.rank()) {
        links[peer] = new IbverbsLink(mesh, peer, queue, slab, place++);
      }
    }
  }

  private void abandon(IbverbsLink[] links) {
    for (IbverbsLink link : links) {
      if (link != null) {
        link.close();
      }
    }
    close();
    if (queue != 0) {
      adapter.verbs().destroyQueue(queue);
    }
    if (channel != 0) {
      adapter.verbs().destroyChannel(channel);
    }
  }

  long channel() {
    return channel;
  }

  long queue() {
    return queue;
  }

  /** A segment to send from, or 0: then the pair is touched when one is free. */
  long takeToSend(IbverbsLink link) {
    long segment = sendPool.take();
    if (segment == 0 && !link.needsSegment) {
      link.needsSegment = true;
      needy.add(link);
    }
    return segment;
  }

  void giveBackToSend(long segment) {
    sendPool.giveBack(segment);
    for (IbverbsLink link = needy.poll(); link != null; link = needy.poll()) {
      link.needsSegment = false;
      mesh.touch(link); // all of them, as the first may not need it any more; the others wait again
    }
  }

  /** A segment to receive into, or 0: then the receive is served when one is free. */
  long takeToReceive(GrantedReceive receive) {
    long segment = receivePool.take();
    if (segment == 0 && !receive.waits) {
      receive.waits = true;
      waiting.add(receive);
    }
    return segment;
  }

  void giveBackToReceive(long segment) {
    receivePool.giveBack(segment);
    while (!receivePool.isEmpty() && !waiting.isEmpty()) {
      GrantedReceive receive = waiting.poll(); // it may need it no more
      receive.waits = false;
      receive.owner.askForMore(receive);
    }
  }

  int sendKey() {
    return sendPool.localKey();
  }

  int receiveKey() {
    return receivePool.remoteKey();
  }

  /** Whether an event that is not about a queue pair of this mesh concerns it. */
  boolean concerns(AsyncEvent event) {
    return event.type() != AsyncEvent.QUEUE_ERROR || event.element() == queue;
  }

  /** The mesh has ended: no receive waits any more. */
  void forgetLines() {
    needy.clear();
    waiting.clear();
  }

  /** Gives the memory back; no queue pair uses it any more. */
  void close() {
    if (slab != null) {
      slab.close();
      slab = null;
    }
    if (sendPool != null) {
      sendPool.close();
    }
    if (receivePool != null) {
      receivePool.close();
    }
  }
}
