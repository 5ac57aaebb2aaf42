package io.jgloo.transport;

import java.time.Duration;
import java.util.Optional;

/**
 * One way to reach other ranks, such as a TCP listener on one interface; it makes meshes.
 *
 * <p><i>Threads</i>: any. <i>Owns</i>: its listener, its threads (daemons) and its meshes.
 */
public interface Device extends AutoCloseable {

  /** Whether a mesh whose address was published still exists. */
  enum Liveness {
    /** The mesh exists: its process answered for it. */
    ALIVE,
    /** No process has it any more: a crashed or finished run left the address behind. */
    GONE,
    /** This kind of device cannot find out, or the peer did not answer in time. */
    UNKNOWN
  }

  /** What ends when a pair of a mesh fails; the same on all its ranks. */
  enum FailureScope {

    /**
     * The whole mesh, on all ranks: the failure is reported to the others. Collectives need this.
     */
    COLLECTIVE,

    /**
     * The pair of the two ranks. All other pairs go on, and a new process of the peer can be
     * connected in place of the old one, see {@link Mesh#connect}.
     */
    PAIRWISE
  }

  /** Kind of device, such as {@code tcp}; all ranks of a mesh use the same. */
  String name();

  /** The wire protocol of its meshes. */
  default Wire wire() {
    return Wire.JGLOO;
  }

  /** The secret that all peers must prove to have; empty if connections are not authenticated. */
  default Optional<JobSecret> secret() {
    return Optional.empty();
  }

  /** The files by which its connections use TLS; empty if they do not. */
  default Optional<TlsOptions> tls() {
    return Optional.empty();
  }

  /** Time as this device's deadlines see it. */
  Clock clock();

  /**
   * A new mesh, not connected yet but already reachable.
   *
   * @throws ClosedException if the device is closed
   */
  Mesh newMesh(Membership membership);

  /**
   * A new mesh of a failure scope, not connected yet but already reachable.
   *
   * @throws ClosedException if the device is closed
   * @throws UnavailableException if the device, or its wire, does not support that scope: {@code
   *     tcp} and {@code sim} support pairwise between JGloo ranks only
   */
  default Mesh newMesh(Membership membership, FailureScope scope) {
    if (scope == FailureScope.COLLECTIVE) {
      return newMesh(membership);
    }
    throw new UnavailableException(
        ("device " + name() + " does not support failure scope " + scope)
            + "; device tcp with wire=jgloo does");
  }

  /**
   * Whether the mesh that published this address still exists.
   *
   * @param timeout bound on asking
   */
  Liveness liveness(Address address, Duration timeout);

  /** Closes all meshes and the listener; may be called often. */
  @Override
  void close();
}
