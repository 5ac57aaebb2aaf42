package io.jgloo.transport;

import io.jgloo.transport.Device.FailureScope;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * One rank's connected pairs to all other ranks of a group.
 *
 * <p>Life: made by {@link Device#newMesh}; its {@link #address} is published; {@link #connect} gets
 * the addresses of all ranks; requests are posted; {@link #close}.
 *
 * <p><i>Threads</i>: any. <i>Owns</i>: pairs, queues and buffers made here. <i>Fails</i>: the first
 * failure of any link fails the mesh: every posted and later request ends with that cause, and the
 * failure is reported to the other ranks. In a mesh of {@link FailureScope#PAIRWISE} only that
 * link's {@link Pair} ends, and {@link #connect} connects a new process of the peer in its place;
 * {@link #abort} fails all of it. When {@link #close} or {@link #abort} returns, no request can
 * touch user memory any more.
 */
public interface Mesh extends AutoCloseable {

  Membership membership();

  /** The wire protocol between its ranks. */
  default Wire wire() {
    return Wire.JGLOO;
  }

  /** Time as this mesh's deadlines see it. */
  Clock clock();

  /** Where peers reach this rank; valid from the start, peers may connect from then on. */
  Address address();

  /**
   * Connects to all peers, or to those not connected yet if an earlier call failed.
   *
   * <p>In a mesh of {@link FailureScope#PAIRWISE} it may be called again at any time, with the
   * addresses known by then. Null stands for a rank without an address: nothing changes for its
   * pair. A pair that is connected and whose address is the same stays. Where the address is that
   * of another mesh than before, the pair ends, if it has not, with a {@link PeerLostException},
   * and is connected again; so is a pair that has ended, if its peer calls this method too.
   * Messages of the old connection are lost. Both ranks of a pair need the other's address. At the
   * deadline the pairs that are connected can be used, and the others still wait for their peers.
   *
   * <p>A mesh whose pairs are connected when they are first used returns at once.
   *
   * @param addresses by rank, own included
   * @param timeout of this call, or of each pair when it is first used
   * @throws MeshConnectException at the deadline, with the cause for each rank that is missing; or
   *     earlier if a peer refuses the connection for good. May be called again with newer
   *     addresses.
   * @throws ClosedException if the mesh is closed before or meanwhile
   * @throws IllegalArgumentException if there is not one address for each rank
   * @throws JGlooException the {@link #failure} of the mesh, if it fails meanwhile
   * @throws InterruptedOperationException if the thread is interrupted; its flag stays set
   */
  void connect(List<Address> addresses, Duration timeout);

  /**
   * The link to a peer.
   *
   * @throws IllegalArgumentException if peer is this rank or out of range
   * @throws IllegalStateException if the mesh has not been connected
   */
  Pair pair(int peer);

  /** Host identity of each rank, by rank; known once connected, empty for one never there. */
  List<String> hosts();

  /** A new queue; one for each independent user of this mesh. */
  CompletionQueue newQueue();

  /** A new, empty window on memory. */
  Buffer newBuffer();

  /**
   * Receives the earliest matching message from any of a set of ranks. Among receives from one rank
   * on one slot, directed or from any, the order of posting decides. Fails with a {@link
   * PeerDepartedException} when all ranks of the set have left. In a mesh of {@link
   * FailureScope#PAIRWISE} it fails when the pairs of all ranks of the set have ended, with the
   * cause of the last, or with the pair whose message had been matched with it: if it does not fit,
   * or if a part has been reduced.
   *
   * @param peers ranks to listen to, this one not among them; copied
   * @throws IllegalArgumentException if the set is empty or holds this rank or one out of range
   * @throws IllegalStateException as {@link Pair#recv}
   */
  void recvAny(Request request, BitSet peers);

  /**
   * What some meshes can do beyond this interface, for libraries that come with the device.
   *
   * @param type an interface of the device's
   * @return empty if this mesh cannot do that
   */
  default <T> Optional<T> capability(Class<T> type) {
    return Optional.empty();
  }

  /** Why the mesh failed, if it has. */
  Optional<JGlooException> failure();

  /**
   * Fails the mesh with this cause and notifies all peers: they fail with an {@link
   * AbortedException} that carries the message, or with the same loss, departure, timeout or
   * mismatch. A rank that is named as the cause gets a timeout without its own rank, and an {@link
   * AbortedException} in place of the other kinds. A notice is passed on unchanged. The first
   * failure wins; later ones change nothing.
   */
  void abort(JGlooException cause);

  /**
   * Sends a goodbye to the peers and closes all pairs; posted requests fail with a {@link
   * ClosedException}. Returns within about a second, may be called often and from any thread.
   */
  @Override
  void close();
}
