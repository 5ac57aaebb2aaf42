package io.jgloo.transport.shm;

import io.jgloo.transport.Allocation;
import io.jgloo.transport.capability.SharedHeap;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Memory of a rank that peers of its host read in place: an extent for each allocation, which is
 * offered to all peers that share memory.
 *
 * <p><i>Threads</i>: {@link #allocate} by any, the rest under the mesh's lock. <i>Owns</i>: the
 * extents until they are closed, and their files until the mesh is.
 */
public final class MeshHeap implements SharedHeap {

  /** Most extents of a mesh at a time, and of each peer; one has a descriptor. */
  public static final int MAX_EXTENTS = 256;

  private static final Extent[] NONE = {};

  private final SharingMesh mesh;
  private Extent[] extents = NONE; // by address
  private final List<Extent> retired = new ArrayList<>(0); // of which sends are not done
  private int made;

  public MeshHeap(SharingMesh mesh) {
    this.mesh = mesh;
  }

  @Override
  public Allocation allocate(long bytes) {
    Allocation.check(bytes);
    Boolean named;
    mesh.lock();
    try {
      named = kind();
    } finally {
      mesh.unlock();
    }
    return named == null ? Allocation.unshared(bytes) : share(named, bytes);
  }

  /** Half of all extents are left to users. */
  @Override
  public boolean hasSpare() {
    mesh.lock();
    try {
      return extents.length < MAX_EXTENTS / 2 && kind() != null;
    } finally {
      mesh.unlock();
    }
  }

  /** Whether the next extent has a name, as the segments do; null if it cannot be shared. */
  private Boolean kind() {
    Boolean named = null;
    if (extents.length == MAX_EXTENTS || made == Integer.MAX_VALUE) {
      return null;
    }
    for (SharingPair stream : sharing()) {
      boolean file = stream.link() instanceof MemoryLink link && link.segment().isNamed();
      named = file || (named != null && named);
    }
    return named;
  }

  private List<SharingPair> sharing() {
    List<SharingPair> sharing = new ArrayList<>();
    for (int peer = 0; peer < mesh.size() && !mesh.hasEnded(); peer++) {
      SharingPair stream = mesh.streamAt(peer);
      if (stream != null && stream.link() instanceof MemoryLink) {
        sharing.add(stream);
      }
    }
    return sharing;
  }

  private Allocation share(boolean named, long bytes) {
    Extent extent;
    try {
      extent = Extent.create(named, bytes, mesh.incarnation());
    } catch (IOException e) {
      String text = " has no memory to share for an allocation: " + LocalMemory.text(e);
      mesh.logRoutes(text, text);
      return Allocation.unshared(bytes);
    }
    mesh.lock();
    try {
      extent.number(made++);
      add(extent);
    } finally {
      mesh.unlock();
    }
    return new Allocation(extent.buffer(), true, () -> retire(extent));
  }

  private void add(Extent extent) {
    int at = after(extent.address());
    Extent[] more = Arrays.copyOf(extents, extents.length + 1);
    System.arraycopy(extents, at, more, at + 1, extents.length - at);
    more[at] = extent;
    extents = more;
    if (mesh.hasEnded()) {
      close();
      return;
    }
    sharing().forEach(stream -> stream.lending().offer(extent));
    closeAnswered(extent);
  }

  /** How many extents begin at this address or before. */
  private int after(long address) {
    int low = 0;
    int high = extents.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (extents[middle].address() <= address) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The extent in which a range lies, or null. */
  Extent find(long address, long length) {
    if (extents.length == 0) {
      return null;
    }
    int before = after(address) - 1;
    return before >= 0 && extents[before].contains(address, length) ? extents[before] : null;
  }

  /** Offers what there is to a peer that was connected just now. */
  public void offerTo(SharingPair stream) {
    if (stream.lending() != null) {
      for (Extent extent : extents) {
        stream.lending().offer(extent);
      }
    }
  }

  /** A peer has answered an offer, or never will. */
  void answered(int number) {
    for (Extent extent : extents) {
      if (extent.number() == number) {
        closeAnswered(extent);
      }
    }
  }

  /** The name of a file goes as soon as all peers have answered that it was offered to. */
  private void closeAnswered(Extent extent) {
    if (extent.isNamed()) {
      for (SharingPair stream : sharing()) {
        if (stream.lending().awaitsAnswer(extent.number())) {
          return;
        }
      }
      extent.close();
    }
  }

  /** Gives an extent back, as soon as what was sent from it has been read. */
  private void retire(Extent extent) {
    mesh.lock();
    try {
      List<Extent> rest = new ArrayList<>(Arrays.asList(extents));
      if (rest.remove(extent)) {
        extents = rest.toArray(NONE);
        sharing().forEach(stream -> stream.lending().retire(extent));
        retired.add(extent);
        releaseRetired();
      } else {
        extent.discard(); // the mesh has been closed
      }
    } finally {
      mesh.unlock();
    }
  }

  /** Sends have been done: releases the extents that were waiting for them. */
  public void releaseRetired() {
    if (!retired.isEmpty()) {
      retired.removeIf(this::isReleased);
    }
  }

  private boolean isReleased(Extent extent) {
    for (SharingPair stream : sharing()) {
      if (stream.lending().lends(extent)) {
        return false;
      }
    }
    extent.discard();
    extent.close();
    return true;
  }

  /** The mesh ends: users keep what they hold, and it goes when they do not reach it any more. */
  public void close() {
    for (Extent extent : extents) {
      extent.close();
    }
    extents = NONE;
    retired.forEach(extent -> extent.close());
    retired.clear();
  }
}
