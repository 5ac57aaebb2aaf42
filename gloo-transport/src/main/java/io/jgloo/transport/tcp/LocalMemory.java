package io.jgloo.transport.tcp;

import io.jgloo.transport.Membership;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.shm.Segment;
import io.jgloo.transport.shm.SegmentAnswer;
import io.jgloo.transport.tcp.socket.HostIdentity;
import io.jgloo.transport.tcp.socket.Link;
import io.jgloo.transport.tcp.wire.Hello;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Decides which peers of a mesh are reached through shared memory, and says which are.
 *
 * <p>The rank that dials offers a segment to a peer of its host. If the peer cannot attach a memfd,
 * such as one in another pid namespace, the next attempt offers a file in /dev/shm; after that the
 * pair uses its socket.
 *
 * <p><i>Threads</i>: under the mesh's lock.
 */
final class LocalMemory {

  private final TcpMesh mesh;
  private final TcpDevice device;
  private final MemorySettings settings;
  private final String[] reasons;

  LocalMemory(TcpMesh mesh, TcpDevice device, MemorySettings settings) {
    this.mesh = mesh;
    this.device = device;
    this.settings = settings;
    reasons = new String[mesh.size()];
  }

  /** The segment to offer in the next attempt of a dial, or null. */
  Segment offer(Dial dial) {
    boolean wanted = settings.use() != MemorySettings.Use.OFF && dial.sameHost();
    if (!wanted || dial.pendingLinks().count() > 0) {
      return null;
    }
    if (dial.segmentsTried() == 0 && settings.named()) {
      dial.nextSegment();
    }
    while (dial.segmentsTried() < 2) {
      boolean file = dial.segmentsTried() == 1;
      try {
        return Segment.create(
            file,
            settings.ringBytes(localRanks(), file),
            MeshCells.mayHave(mesh),
            mesh.incarnation(),
            dial.endpoint().incarnation());
      } catch (IOException e) {
        declined(dial, text(e));
      }
    }
    return null;
  }

  /** A segment cannot be had, or the peer cannot attach it. */
  void declined(Dial dial, String reason) {
    dial.nextSegment();
    note(dial.peer(), reason);
  }

  private void note(int peer, String reason) {
    reasons[peer] = reasons[peer] == null ? reason : reasons[peer] + "; " + reason;
  }

  static String text(Throwable e) {
    return e.getClass() == IOException.class ? e.getMessage() : e.toString();
  }

  /**
   * Attaches what a peer offers, and keeps it for the connection.
   *
   * @throws ProtocolException if the bytes are no offer
   */
  SegmentAnswer attach(Hello hello, byte[] offer, ControlConnection connection) {
    if (settings.use() == MemorySettings.Use.OFF) {
      return declined(hello.rank(), "rank " + mesh.rank() + " has memory=off");
    }
    try {
      Segment segment = Segment.attach(offer, hello.source(), mesh.incarnation());
      connection.keep(segment);
      return SegmentAnswer.attached(segment);
    } catch (IOException e) {
      return declined(hello.rank(), "rank " + mesh.rank() + ": " + text(e));
    } catch (ProtocolException e) {
      throw new ProtocolException("rank " + hello.rank() + " sent " + e.getMessage(), e);
    }
  }

  private SegmentAnswer declined(int peer, String reason) {
    note(peer, reason);
    return SegmentAnswer.declined(reason);
  }

  /** An extent that a peer has offered cannot be mapped: its messages go through the ring. */
  void cannotAttach(int peer, IOException e) {
    String text = text(e);
    device.log().routes(text, " does not map memory allocated by rank " + peer + ": " + text);
  }

  /** How a peer is reached; see {@link io.jgloo.transport.Mesh#route}. */
  String route(int peer) {
    Link link = mesh.streamAt(peer).link();
    if (link instanceof MemoryLink mapped) {
      return "shared memory (" + mapped.segment().kind() + ")";
    }
    return link == null ? "not connected" : "tcp";
  }

  /**
   * Looks at a pair that is connected.
   *
   * @throws UnavailableException if the pair must share memory and does not
   */
  void check(int peer) {
    boolean must = settings.use() == MemorySettings.Use.REQUIRE && isLocal(peer);
    if (must && mesh.streamAt(peer).memory() == null) {
      throw new UnavailableException(
          ("rank " + peer + " of this host does not share memory with rank " + mesh.rank())
              + (", but memory=require is set: " + reason(peer)));
    }
  }

  private String reason(int peer) {
    return reasons[peer] == null ? "rank " + peer + " has not offered it" : reasons[peer];
  }

  private boolean isLocal(int peer) {
    List<String> hosts = mesh.connectionTable().hosts();
    return peer < hosts.size() && device.host().equals(hosts.get(peer));
  }

  /** Why a peer counts as one of another host though it runs on the same kernel; else null. */
  private String otherName(int peer) {
    List<String> hosts = mesh.connectionTable().hosts();
    return peer < hosts.size() && HostIdentity.isSameKernel(device.host(), hosts.get(peer))
        ? ("its host name differs: '" + HostIdentity.name(hosts.get(peer)))
            + ("' there, '" + HostIdentity.name(device.host()) + "' here; set the same attribute")
            + " host=NAME at both ranks to share memory"
        : null;
  }

  /** Number of ranks on this host, this one included. */
  int localRanks() {
    return (int) mesh.connectionTable().hosts().stream().filter(device.host()::equals).count();
  }

  /** Logs how the peers of this host are reached that are connected. */
  void log() {
    log(0, mesh.size());
  }

  /** Logs how some peers are reached, if of this host. */
  void log(int first, int end) {
    if (settings.use() == MemorySettings.Use.OFF) {
      return;
    }
    List<Integer> shared = new ArrayList<>();
    List<String> others = new ArrayList<>();
    Set<String> kinds = new TreeSet<>();
    String kind = "";
    for (int peer = first; peer < end; peer++) {
      if (peer != mesh.rank() && mesh.streamAt(peer).link() instanceof MemoryLink link) {
        shared.add(peer);
        kind = link.segment().kind() + ", rings of " + (link.segment().ringBytes() >> 10) + " KiB";
      } else if (peer != mesh.rank() && mesh.streamAt(peer).link() != null) {
        String reason = isLocal(peer) ? reason(peer) : otherName(peer);
        if (reason != null) {
          others.add(peer + " (" + reason + ")");
          kinds.add(reason);
        }
      }
    }
    if (!shared.isEmpty() || !others.isEmpty()) {
      String text =
          (shared.isEmpty()
                  ? ""
                  : " shares memory with ranks " + Membership.list(shared) + " (" + kind + ")")
              + (shared.isEmpty() || others.isEmpty() ? "" : " and")
              + (others.isEmpty() ? "" : " reaches ranks of this host by TCP: " + others);
      kinds.add(kind);
      device.log().routes(kinds.toString(), text);
    }
  }
}
