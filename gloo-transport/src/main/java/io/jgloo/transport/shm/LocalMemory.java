package io.jgloo.transport.shm;

import io.jgloo.transport.Membership;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.tcp.socket.HostIdentity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Decides which peers of a mesh are reached through shared memory, and says which are.
 *
 * <p>The rank that dials offers a segment to a peer of its host. If the peer cannot attach a memfd,
 * such as one in another pid namespace, the next attempt offers a file in /dev/shm; after that the
 * pair uses its socket.
 *
 * <p><i>Threads</i>: under the mesh's lock.
 */
public final class LocalMemory {

  private final SharingMesh mesh;
  private final MemorySettings settings;
  private final String[] reasons;

  public LocalMemory(SharingMesh mesh, MemorySettings settings) {
    this.mesh = mesh;
    this.settings = settings;
    reasons = new String[mesh.size()];
  }

  /** The segment to offer in the next attempt of a dial, or null. */
  public Segment offer(SegmentDial dial) {
    if (settings.use() == MemorySettings.Use.OFF || !dial.mayShareMemory()) {
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
            dial.incarnation());
      } catch (IOException e) {
        declined(dial, text(e));
      }
    }
    return null;
  }

  /** A segment cannot be had, or the peer cannot attach it. */
  public void declined(SegmentDial dial, String reason) {
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
   * Attaches what a peer offers.
   *
   * @param source incarnation of the peer's mesh
   * @param owner takes the segment
   * @throws ProtocolException if the bytes are no offer
   */
  public SegmentAnswer attach(int peer, UUID source, byte[] offer, Consumer<Segment> owner) {
    if (settings.use() == MemorySettings.Use.OFF) {
      return declined(peer, "rank " + mesh.rank() + " has memory=off");
    }
    try {
      Segment segment = Segment.attach(offer, source, mesh.incarnation());
      owner.accept(segment);
      return SegmentAnswer.attached(segment);
    } catch (IOException e) {
      return declined(peer, "rank " + mesh.rank() + ": " + text(e));
    } catch (ProtocolException e) {
      throw new ProtocolException("rank " + peer + " sent " + e.getMessage(), e);
    }
  }

  private SegmentAnswer declined(int peer, String reason) {
    note(peer, reason);
    return SegmentAnswer.declined(reason);
  }

  /** An extent that a peer has offered cannot be mapped: its messages go through the ring. */
  void cannotAttach(int peer, IOException e) {
    String text = text(e);
    mesh.logRoutes(text, " does not map memory allocated by rank " + peer + ": " + text);
  }

  /**
   * Looks at a pair that is connected.
   *
   * @throws UnavailableException if the pair must share memory and does not
   */
  public void check(int peer) {
    boolean must = settings.use() == MemorySettings.Use.REQUIRE && isLocal(peer);
    if (must && !(mesh.streamAt(peer).link() instanceof MemoryLink)) {
      throw new UnavailableException(
          ("rank " + peer + " of this host does not share memory with rank " + mesh.rank())
              + (", but memory=require is set: " + reason(peer)));
    }
  }

  private String reason(int peer) {
    return reasons[peer] == null ? "rank " + peer + " has not offered it" : reasons[peer];
  }

  private boolean isLocal(int peer) {
    List<String> hosts = mesh.knownHosts();
    return peer < hosts.size() && mesh.host().equals(hosts.get(peer));
  }

  /** Why a peer counts as one of another host though it runs on the same kernel; else null. */
  private String otherName(int peer) {
    List<String> hosts = mesh.knownHosts();
    return peer < hosts.size() && HostIdentity.isSameKernel(mesh.host(), hosts.get(peer))
        ? ("its host name differs: '" + HostIdentity.name(hosts.get(peer)))
            + ("' there, '" + HostIdentity.name(mesh.host()) + "' here; set the same attribute")
            + " host=NAME at both ranks to share memory"
        : null;
  }

  /** Number of ranks on this host, this one included. */
  public int localRanks() {
    return (int) mesh.knownHosts().stream().filter(mesh.host()::equals).count();
  }

  /** Logs how the peers of this host are reached that are connected. */
  public void log() {
    log(0, mesh.size());
  }

  /** Logs how some peers are reached, if of this host. */
  public void log(int first, int end) {
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
      mesh.logRoutes(kinds.toString(), text);
    }
  }
}
