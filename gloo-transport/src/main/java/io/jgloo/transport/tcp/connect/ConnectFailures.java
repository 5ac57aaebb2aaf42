package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.Address;
import io.jgloo.transport.AuthenticationException;
import io.jgloo.transport.Clock;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.MeshConnectException;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.tcp.socket.HostIdentity;
import io.jgloo.transport.tcp.wire.Hello;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The reasons that peers have not been connected so far, and the exceptions that report it.
 *
 * <p><i>Threads</i>: under the mesh's lock.
 */
public final class ConnectFailures {

  private final ConnectMesh mesh;
  private final ConnectDevice device;
  private final JGlooException[] causes;
  private final BitSet refused = new BitSet();
  private final Refusal[] refusals; // of hellos
  private long unauthenticatedBefore;

  /** A hello of a peer that was refused for good. */
  private record Refusal(UUID source, JGlooException cause) {}

  ConnectFailures(ConnectMesh mesh, ConnectDevice device) {
    this.mesh = mesh;
    this.device = device;
    causes = new JGlooException[mesh.size()];
    refusals = new Refusal[mesh.size()];
    unauthenticatedBefore = device.refusals().unauthenticated();
  }

  void clear() {
    Arrays.fill(causes, null);
    refused.clear();
    if (mesh.isPairwise()) { // it may live for long
      unauthenticatedBefore = device.refusals().unauthenticated();
    }
  }

  void clear(int peer) {
    causes[peer] = null;
    refused.clear(peer);
  }

  /** Records the latest cause. */
  void add(int peer, JGlooException cause) {
    causes[peer] = cause;
  }

  /** Records a cause after which another attempt cannot succeed. */
  void addFinal(int peer, JGlooException cause) {
    causes[peer] = cause;
    refused.set(peer);
  }

  /**
   * Records why the hello of a peer was refused for good: the peer may have sent it before this
   * rank has its address.
   */
  void refusedHello(Hello hello, JGlooException cause) {
    refusals[hello.rank()] = new Refusal(hello.source(), cause);
  }

  /** Whether the process of this incarnation was refused for good; then that is the cause. */
  boolean recallsRefusal(int peer, UUID incarnation) {
    Refusal refusal = refusals[peer];
    boolean same = refusal != null && refusal.source.equals(incarnation);
    if (same) {
      addFinal(peer, refusal.cause);
    }
    return same;
  }

  boolean has(int peer) {
    return causes[peer] != null;
  }

  /**
   * The cause of a failed attempt; another one, which is final, if the peer of another machine has
   * published an address of the loopback. An open port there may be the end of a tunnel.
   */
  JGlooException explain(
      Dial dial, Address address, JGlooException cause, ConnectAttempt.Outcome outcome) {
    if (outcome != ConnectAttempt.Outcome.NO_LISTENER
        || !dial.endpoint().listener().getAddress().isLoopbackAddress()
        || !HostIdentity.areOfDifferentKernels(device.host(), address.host())) {
      return cause;
    }
    String where = HostIdentity.name(address.host()) + " listens at " + address;
    return new UnavailableException(
        ("rank " + dial.peer() + " on host " + where + ", which other hosts cannot reach: ")
            + "set attribute interface, bind or reach there",
        cause);
  }

  /**
   * Whether some peer cannot be connected any more; with failure scope pairwise, whether no missing
   * peer can.
   */
  boolean isHopeless(BitSet missing) {
    BitSet waiting = (BitSet) missing.clone();
    waiting.andNot(refused);
    return mesh.isPairwise() ? waiting.isEmpty() : !refused.isEmpty();
  }

  MeshConnectException incomplete(BitSet missing, List<Address> addresses) {
    Map<Integer, JGlooException> all = new TreeMap<>();
    missing.stream()
        .forEach(peer -> all.put(peer, has(peer) ? causes[peer] : absent(peer, addresses)));
    StringBuilder text = new StringBuilder();
    text.append(mesh).append(" cannot reach ranks " + Membership.list(all.keySet()) + ": ");
    all.values().stream().limit(3).forEach(c -> text.append(c.getMessage()).append("; "));
    text.setLength(text.length() - 2);
    Set<Integer> refusedOnes =
        refused.stream().filter(missing::get).boxed().collect(Collectors.toSet());
    return new MeshConnectException(text.toString(), all, refusedOnes);
  }

  private JGlooException absent(int peer, List<Address> addresses) {
    String where = "rank " + peer + " at " + addresses.get(peer);
    if (mesh.handshake().dials(peer, mesh.connectionTable().endpoint(peer))) {
      return new UnavailableException(
          (where + " cannot be reached from " + device.listener().getAddress().getHostAddress())
              + ": no answer yet");
    }
    long refused = device.refusals().unauthenticated() - unauthenticatedBefore;
    if (refused > 0) {
      return new AuthenticationException(
          (where + " has not connected to this rank; " + refused)
              + " connections were refused as not of this job, the last: "
              + device.refusals().lastUnauthenticated());
    }
    String version = device.refusals().lastOtherVersion();
    String seen =
        device.whyNotAccepted()
            + (version == null ? "" : "; a connection was refused of " + version);
    InetSocketAddress own = device.listener();
    return new UnavailableException(
        (where + " has not connected to this rank, which it dials at ")
            + (own.getAddress().getHostAddress() + ":" + own.getPort())
            + (seen.isEmpty() ? ": no connection of it has arrived" : seen));
  }

  PeerLostException unreached(int peer, Duration patience) {
    JGlooException cause = causes[peer];
    String none = "it was asked to connect and has not" + device.whyNotAccepted();
    String why = cause == null ? none : cause.getMessage();
    String text =
        String.format(
            Locale.ROOT,
            "peer %d could not be connected within %.1f s: %s",
            peer,
            Clock.nanos(patience) / 1e9,
            why);
    return new PeerLostException(peer, text, cause);
  }
}
