package io.jgloo.transport.shm;

import io.jgloo.transport.Device.FailureScope;
import io.jgloo.transport.Membership;
import io.jgloo.transport.engine.EngineMesh;
import io.jgloo.transport.engine.Platform;
import java.util.List;
import java.util.UUID;

/** A mesh of which some ranks may share memory, as that memory uses the mesh. */
public abstract class SharingMesh extends EngineMesh {

  private final LocalMemory localMemory;
  private final MeshHeap heap;

  protected SharingMesh(
      Membership membership, FailureScope scope, Platform platform, MemorySettings settings) {
    super(membership, scope, platform);
    localMemory = new LocalMemory(this, settings);
    heap = new MeshHeap(this);
  }

  public abstract UUID incarnation();

  /** The incarnation of a peer's mesh. */
  public abstract UUID incarnationOf(int peer);

  /** The host of this rank. */
  public abstract String host();

  /** The hosts of the ranks, by rank, as far as they are known. */
  public abstract List<String> knownHosts();

  /** The stream of a peer; null for this rank. */
  public abstract SharingPair streamAt(int peer);

  public final LocalMemory localMemory() {
    return localMemory;
  }

  public final MeshHeap heap() {
    return heap;
  }

  /**
   * Logs how ranks of this host are reached.
   *
   * @param key the text without the numbers of ranks
   */
  public abstract void logRoutes(String key, String text);
}
