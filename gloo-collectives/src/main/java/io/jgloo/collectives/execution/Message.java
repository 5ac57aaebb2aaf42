package io.jgloo.collectives.execution;

import io.jgloo.collectives.Retainable;
import io.jgloo.transport.Buffer;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Pair;
import io.jgloo.transport.Request;
import io.jgloo.transport.Slot;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * One message of the application's own on its way.
 *
 * <p>Unlike a collective, a message of which no byte has moved can be withdrawn at its deadline,
 * and the group lives on.
 */
final class Message extends Run {

  private static final int ANY = -1;

  private final Mailbox mailbox;
  private final Mesh mesh;
  private final Pair[] pairs;
  private final Request request;
  private final Buffer window;

  private boolean sends;
  private int peer;
  private BitSet peers;
  private int space;
  private long tag;
  private long fingerprint;
  private Region staged;
  private Object keepAlive;
  private Retainable retained;
  private long address;
  private long bytes;
  private boolean posted;
  private JGlooException withdrawn;
  private int source;

  Message(Mailbox mailbox, Driver driver, Mesh mesh, CompletionQueue queue, Pair[] pairs) {
    super(driver);
    this.mailbox = mailbox;
    this.mesh = mesh;
    this.pairs = pairs;
    request = queue.newRequest().attach(this);
    window = mesh.newBuffer();
  }

  /** A message to a peer. */
  Message to(int peer, long tag) {
    return of(true, peer, null, tag);
  }

  /** A message from a peer. */
  Message from(int peer, long tag) {
    return of(false, peer, null, tag);
  }

  /** A message from whichever of these peers sends one first. */
  Message fromAny(BitSet peers, long tag) {
    return of(false, ANY, peers, tag);
  }

  private Message of(boolean sends, int peer, BitSet peers, long tag) {
    this.sends = sends;
    this.peer = peer;
    this.peers = peers;
    this.tag = tag;
    space = Slot.USER;
    posted = false;
    withdrawn = null;
    source = ANY;
    return this;
  }

  /** In a space of slots other than the application's. */
  Message in(int space) {
    this.space = space;
    return this;
  }

  /** Takes the caller's memory. */
  Message bind(Region region, long fingerprint) {
    this.fingerprint = fingerprint;
    retained = region.retain();
    bytes = region.bytes();
    keepAlive = region.keepAlive();
    boolean copied = region.isStaged() && bytes > 0;
    address = copied ? driver.pool().take(bytes) : region.address();
    staged = copied ? region : null;
    window.wrap(address, bytes, keepAlive);
    return this;
  }

  @Override
  void release() {
    if (staged != null) {
      driver.pool().give(address, bytes);
      staged = null;
    }
    try {
      window.close();
    } finally {
      Reference.reachabilityFence(keepAlive); // the address alone keeps no memory allocated
      keepAlive = null;
      peers = null;
      if (retained != null) {
        retained.release();
        retained = null;
      }
    }
  }

  @Override
  void begin() {
    if (sends && staged != null) {
      staged.load(0, address, bytes);
    }
    request.message(Slot.of(space, tag), window, 0, bytes).fingerprint(fingerprint, 0);
    if (sends) {
      request.copied(); // the peer may be in no call for long
      pairs[peer].send(request);
    } else if (peer == ANY) {
      mesh.recvAny(request, peers);
    } else {
      pairs[peer].recv(request);
    }
    posted = true;
  }

  @Override
  void advance(Request request) {
    posted = false;
    if (request.state() == Request.State.CANCELLED) {
      end(withdrawn);
    } else if (request.failure() != null) {
      driver.requestFailed(this, request.failure());
      end(driver.cause());
    } else {
      source = request.peer();
      if (!sends && staged != null) {
        staged.store(address, 0, bytes);
      }
      end(null);
    }
  }

  @Override
  void stop() {
    if (!posted && !ended()) {
      end(driver.cause());
    }
  }

  @Override
  boolean withdraw(JGlooException reason) {
    if (!posted) {
      return false;
    }
    withdrawn = reason;
    return request.cancel() || request.isDone();
  }

  @Override
  void recycle() {
    mailbox.give(this);
  }

  @Override
  CallKind kind() {
    if (space != Slot.USER) {
      return CallKind.MONITORED_BARRIER;
    }
    return sends ? CallKind.SEND : peer == ANY ? CallKind.RECV_ANY : CallKind.RECV;
  }

  @Override
  void recordIn(Driver driver) {
    driver.record(this, peer, tag, bytes);
  }

  @Override
  boolean numbered() {
    return false;
  }

  @Override
  long slot() {
    return Slot.of(space, tag);
  }

  @Override
  long digest() {
    return 0;
  }

  /** The rank at the other end. */
  @Override
  int outcome() {
    return source;
  }

  @Override
  List<Integer> missingPeers() {
    if (peers == null) {
      return peer == ANY ? List.of() : List.of(peer);
    }
    List<Integer> all = new ArrayList<>();
    peers.stream().forEach(all::add);
    return all;
  }

  @Override
  List<Integer> missedPeers() {
    return missingPeers();
  }

  @Override
  String operation() {
    String other = peer == ANY ? "any" : "rank " + peer;
    return (sends ? "send to " : "recv from ") + other + " with tag " + tag;
  }

  @Override
  int step() {
    return 0;
  }

  @Override
  int steps() {
    return 1;
  }
}
