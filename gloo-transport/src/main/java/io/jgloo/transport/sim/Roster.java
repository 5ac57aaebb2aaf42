package io.jgloo.transport.sim;

import io.jgloo.transport.Address;
import io.jgloo.transport.Clock;
import io.jgloo.transport.ClosedException;
import io.jgloo.transport.GlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.MeshConnectException;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.ProtocolException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Who of a mesh's peers is connected, refused or still missing; guarded by the scheduler's lock.
 */
final class Roster {

  private static final long FIRST_RETRY_NANOS = 1_000_000L;
  private static final long LAST_RETRY_NANOS = 50_000_000L;

  private final SimMesh mesh;
  private final Network network;
  private final Scheduler scheduler;
  private final GlooException[] refusals;
  private final String[] troubles;
  private List<Address> addresses = List.of();
  private volatile List<String> hosts;
  private int round;
  private boolean connecting;

  Roster(SimMesh mesh, SimWorld world) {
    this.mesh = mesh;
    network = world.network();
    scheduler = world.scheduler();
    refusals = new GlooException[mesh.size()];
    troubles = new String[mesh.size()];
  }

  void connect(List<Address> to, Duration timeout) {
    if (to.size() != mesh.size()) {
      throw new IllegalArgumentException(
          "there must be %d addresses, but are %d".formatted(mesh.size(), to.size()));
    }
    Strand self = mesh.enter();
    try {
      begin(List.copyOf(to));
      long until = scheduler.virtual(scheduler.nanoTime() + Clock.nanos(timeout));
      while (!isSettled()) {
        Scheduler.checkInterrupt();
        checkOpen();
        if (scheduler.timeline.now() >= until) {
          break;
        }
        self = scheduler.block(self, mesh.node(), this, null, until);
      }
      checkOpen();
      finish(timeout);
    } finally {
      connecting = false;
      round++;
      mesh.leave(self);
    }
  }

  private void checkOpen() {
    if (mesh.isClosed()) {
      throw new ClosedException("the mesh of " + mesh.membership() + " is closed");
    }
    if (mesh.failure().isPresent()) {
      throw mesh.failure().get().again("cannot connect");
    }
  }

  private void begin(List<Address> to) {
    checkOpen();
    addresses = to;
    round++;
    connecting = true;
    for (int peer = 0; peer < mesh.size(); peer++) {
      refusals[peer] = null;
      troubles[peer] = "nothing was heard";
      if (isMissing(peer)) {
        dial(peer, round, FIRST_RETRY_NANOS);
      }
    }
  }

  private boolean isMissing(int peer) {
    return peer != mesh.rank() && !mesh.pairAt(peer).isAttached();
  }

  private boolean isSettled() {
    for (int peer = 0; peer < mesh.size(); peer++) {
      if (isMissing(peer) && refusals[peer] == null) {
        return false;
      }
    }
    return true;
  }

  private void finish(Duration timeout) {
    Map<Integer, GlooException> causes = new TreeMap<>();
    for (int peer = 0; peer < mesh.size(); peer++) {
      if (isMissing(peer)) {
        GlooException refusal = refusals[peer];
        String text = "rank " + peer + " at " + addresses.get(peer) + ": " + troubles[peer];
        causes.put(peer, refusal != null ? refusal : new PeerLostException(peer, text, null));
      }
    }
    if (!causes.isEmpty()) {
      throw new MeshConnectException(
          "%s: ranks %s are not connected (timeout %s): %s"
              .formatted(
                  mesh.membership(),
                  causes.keySet(),
                  timeout,
                  causes.values().iterator().next().getMessage()),
          causes);
    }
    List<String> names = new ArrayList<>();
    for (int rank = 0; rank < mesh.size(); rank++) {
      SimPair pair = mesh.pairAt(rank);
      Node node = pair == null ? mesh.node() : pair.other().mesh().node();
      names.add(network.host(node));
    }
    hosts = List.copyOf(names);
  }

  List<String> hosts() {
    checkConnected();
    return hosts;
  }

  /**
   * @throws IllegalStateException unless {@link #connect} has succeeded
   */
  void checkConnected() {
    if (hosts == null) {
      throw new IllegalStateException(
          "the mesh of " + mesh.membership() + " has not been connected");
    }
  }

  /** Something has changed that a connecting thread may wait for. */
  void changed() {
    scheduler.signal(this);
  }

  boolean isConnected() {
    return hosts != null;
  }

  /** A peer that was connected already is gone again. */
  void lost(int peer) {
    troubles[peer] = "the connection was reset";
    if (connecting) {
      dial(peer, round, FIRST_RETRY_NANOS);
    }
  }

  // Knocking at a peer's door.

  private void dial(int peer, int attempt, long retryNanos) {
    Address address = addresses.get(peer);
    Node there = network.node(address);
    if (there == null) {
      refuse(peer, "its address " + address + " is not of this world");
      return;
    }
    Link link = network.link(mesh.node(), there);
    Timeline timeline = scheduler.timeline;
    timeline.arrival(
        timeline.now() + link.delay(),
        link + " hello",
        () -> {
          if (isOn(peer, attempt)) {
            knock(peer, link);
          }
        });
    timeline.timer(
        timeline.now() + retryNanos,
        link + " redial",
        () -> {
          if (isOn(peer, attempt)) {
            dial(peer, attempt, Math.min(2 * retryNanos, LAST_RETRY_NANOS));
          }
        });
  }

  private boolean isOn(int peer, int attempt) {
    return round == attempt && isMissing(peer) && refusals[peer] == null && !mesh.hasEnded();
  }

  private void knock(int peer, Link link) {
    if (link.isBlocked() || (link.to().hasCrashed() && link.to().isSilent())) {
      troubles[peer] = "no answer";
      return;
    }
    SimMesh there = network.mesh(addresses.get(peer));
    if (there == null || there.hasEnded()) {
      troubles[peer] = "nobody is there";
      return;
    }
    String refusal = there.roster().admit(mesh, peer);
    if (refusal != null) {
      refuse(peer, refusal);
    }
  }

  private void refuse(int peer, String reason) {
    refusals[peer] = new ProtocolException("rank " + peer + " cannot be connected: " + reason);
    changed();
  }

  /** Joins a mesh that knocks here and looks for this rank; else says why not. */
  private String admit(SimMesh from, int asRank) {
    Membership ours = mesh.membership();
    Membership theirs = from.membership();
    if (!ours.group().equals(theirs.group())
        || ours.epoch() != theirs.epoch()
        || ours.size() != theirs.size()) {
      return "it is " + ours + ", we are " + theirs;
    }
    if (ours.rank() != asRank || from == mesh) {
      return "it is rank " + ours.rank();
    }
    SimPair own = mesh.pairAt(theirs.rank());
    SimPair other = from.pairAt(asRank);
    if (own.other() != null && own.other() != other && !own.other().mesh().hasEnded()) {
      return "it is connected to another rank " + theirs.rank() + " already";
    }
    if (!own.isJoinedTo(other)) {
      Limits limits = network.limits();
      Stream out = new Stream(network.link(mesh.node(), from.node()), own, other, limits);
      Stream in = new Stream(network.link(from.node(), mesh.node()), other, own, limits);
      own.join(other, out, in);
      other.join(own, in, out);
    }
    if (!own.isAttached()) {
      own.attach();
    }
    own.out().send(Frame.control(Frame.Kind.WELCOME));
    return null;
  }
}
