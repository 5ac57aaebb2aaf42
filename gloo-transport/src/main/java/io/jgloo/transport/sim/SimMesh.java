package io.jgloo.transport.sim;

import io.jgloo.transport.Address;
import io.jgloo.transport.Buffer;
import io.jgloo.transport.Clock;
import io.jgloo.transport.ClosedException;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.GlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Pair;
import io.jgloo.transport.Request;
import io.jgloo.transport.engine.Reductions;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One rank's simulated pairs to all peers of a group; guarded by the scheduler's lock. */
final class SimMesh implements Mesh {

  private final SimDevice device;
  private final SimWorld world;
  private final Scheduler scheduler;
  private final Node node;
  private final Membership membership;
  private final long id;
  private final Roster roster;
  private final SimPair[] pairs;
  private final AnyReceives any = new AnyReceives(this);
  private final Traffic traffic = new Traffic();
  final Reductions reductions;
  private long orders;
  private volatile GlooException failure;
  private boolean closed;
  private boolean frozen;

  SimMesh(SimDevice device, Membership membership, long id) {
    this.device = device;
    this.membership = membership;
    this.id = id;
    world = device.world();
    scheduler = world.scheduler();
    reductions = new Reductions(scheduler.lock);
    node = device.node();
    pairs = new SimPair[membership.size()];
    for (int peer = 0; peer < pairs.length; peer++) {
      if (peer != membership.rank()) {
        pairs[peer] = new SimPair(this, peer);
      }
    }
    roster = new Roster(this, world);
  }

  // What users call.

  @Override
  public Membership membership() {
    return membership;
  }

  @Override
  public Clock clock() {
    return scheduler;
  }

  @Override
  public Address address() {
    return world.network().address(node, id);
  }

  @Override
  public void connect(List<Address> addresses, Duration timeout) {
    roster.connect(addresses, timeout);
  }

  @Override
  public Pair pair(int peer) {
    if (peer < 0 || peer >= pairs.length || peer == rank()) {
      throw new IllegalArgumentException(
          "peer must be 0 to %d and not this rank %d, but is %d"
              .formatted(pairs.length - 1, rank(), peer));
    }
    roster.checkConnected();
    return pairs[peer];
  }

  @Override
  public List<String> hosts() {
    return roster.hosts();
  }

  @Override
  public CompletionQueue newQueue() {
    return new SimQueue(this, scheduler);
  }

  @Override
  public Buffer newBuffer() {
    return new SimBuffer();
  }

  @Override
  public void recvAny(Request request, BitSet peers) {
    SimRequest own = own(request);
    own.checkGranules();
    if (peers.isEmpty() || peers.length() > size() || peers.get(rank())) {
      throw new IllegalArgumentException(
          "peers must be other ranks of a group of " + size() + ", but are " + peers);
    }
    roster.checkConnected();
    Strand self = enter();
    try {
      own.post(-1, (BitSet) peers.clone(), nextOrder());
      if (!failIfEnded(own)) {
        any.post(own);
      }
    } finally {
      leave(self);
    }
  }

  @Override
  public boolean cancelAny(Request request) {
    SimRequest own = own(request);
    Strand self = enter();
    try {
      return any.cancel(own);
    } finally {
      leave(self);
    }
  }

  @Override
  public Optional<GlooException> failure() {
    return Optional.ofNullable(failure);
  }

  @Override
  public void abort(GlooException cause) {
    boolean inside = scheduler.lock.isHeldByCurrentThread() && reductions.defer(cause);
    if (inside || node.hasCrashed()) {
      return;
    }
    Strand self = enter();
    try {
      fail(cause, null);
    } finally {
      leave(self);
    }
  }

  @Override
  public Map<String, Long> counters() {
    scheduler.lock.lock();
    try {
      return traffic.counters();
    } finally {
      scheduler.lock.unlock();
    }
  }

  @Override
  public void close() {
    scheduler.lock.lock();
    try {
      if (reductions.deferClose(this::close)) {
        return;
      }
      end();
      scheduler.turns().kick();
    } finally {
      scheduler.lock.unlock();
    }
  }

  private void end() {
    if (closed) {
      return;
    }
    closed = true;
    if (failure == null && !frozen) {
      failAll(new ClosedException("the mesh of " + membership + " was closed"));
      farewell(Frame.control(Frame.Kind.GOODBYE), null);
    }
    roster.changed();
    device.forget(this);
    world.network().forget(id);
    node.meshes().remove(this);
  }

  // What pairs, queues and the roster need; the lock is held.

  Strand enter() {
    return scheduler.enter(node);
  }

  void leave(Strand self) {
    scheduler.leave(self);
  }

  Node node() {
    return node;
  }

  long id() {
    return id;
  }

  Roster roster() {
    return roster;
  }

  SimPair pairAt(int peer) {
    return pairs[peer];
  }

  Limits limits() {
    return world.network().limits();
  }

  boolean isClosed() {
    return closed;
  }

  boolean hasEnded() {
    return closed || frozen || failure != null;
  }

  long nextOrder() {
    return orders++;
  }

  SimRequest own(Request request) {
    if (request instanceof SimRequest sim && sim.queue.mesh() == this) {
      return sim;
    }
    throw new IllegalStateException("the request was made by a queue of another mesh");
  }

  /** Fails a request just posted if the mesh has ended. */
  boolean failIfEnded(SimRequest request) {
    if (closed) {
      request.fail(new ClosedException("the mesh of " + membership + " is closed"));
    } else if (failure != null) {
      request.fail(failure);
    }
    return hasEnded();
  }

  AnyReceives any() {
    return any;
  }

  Traffic traffic() {
    return traffic;
  }

  // Failure.

  /** Fails the mesh, unless it has ended, and tells all peers but the one that is lost. */
  void fail(GlooException cause, SimPair source) {
    fail(cause, source, Notice.of(rank(), cause));
  }

  /** Fails with what a peer has told us, and passes on just that: the origin stays who it was. */
  void hear(Notice notice, SimPair source) {
    fail(notice.heardBy(rank()), source, notice);
  }

  private void fail(GlooException cause, SimPair source, Notice notice) {
    if (hasEnded()) {
      return;
    }
    failure = cause;
    failAll(cause);
    farewell(Frame.abort(notice), source);
    roster.changed();
  }

  private void failAll(GlooException cause) {
    any.failAll(cause);
    for (SimPair pair : pairs) {
      if (pair != null) {
        pair.failAll(cause);
      }
    }
  }

  private void farewell(Frame last, SimPair source) {
    for (SimPair pair : pairs) {
      if (pair != null && pair != source) {
        pair.farewell(last);
      }
    }
  }

  /** The rank is no more: nothing moves here again, and its own threads hear nothing. */
  void freeze() {
    frozen = true;
    for (SimPair pair : pairs) {
      if (pair != null && pair.out() != null) {
        pair.out().vanish();
      }
    }
  }
}
