package io.jgloo.transport;

import io.jgloo.transport.capability.SharedHeap;
import io.jgloo.transport.memory.Memory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** One rank of a contract test: its device, its mesh, and the few moves that tests are made of. */
public final class Rank {

  private final Ranks ranks;
  private final int rank;
  private final Device device;
  private final Mesh mesh;
  private final CompletionQueue queue;
  private final Set<Request> taken = Collections.newSetFromMap(new IdentityHashMap<>());
  private final List<Area> areas = new ArrayList<>();
  private final List<AutoCloseable> others = new ArrayList<>();
  private int skew;
  private int meetings;
  private Allocation heap; // in which areas lie while it has room, or null
  private long heapUsed;

  Rank(Ranks ranks, int rank, Device device) {
    this.ranks = ranks;
    this.rank = rank;
    this.device = device;
    mesh = newMesh("world");
    queue = mesh.newQueue();
  }

  public int rank() {
    return rank;
  }

  public int size() {
    return ranks.size();
  }

  public Device device() {
    return device;
  }

  public Mesh mesh() {
    return mesh;
  }

  public CompletionQueue queue() {
    return queue;
  }

  /** A further device, closed after the test. */
  public Device open() {
    Device another = ranks.open(rank);
    others.add(another);
    return another;
  }

  /** Closes it when the rank has ended. */
  void closeAtTheEnd(AutoCloseable other) {
    others.add(other);
  }

  public Mesh newMesh(String group) {
    return newMesh(device, group);
  }

  /** A new mesh whose address the other ranks find under the group's name. */
  Mesh newMesh(Device on, String group) {
    Mesh made = on.newMesh(new Membership(group, 0, rank, size()));
    ranks.publish(group, rank, made.address());
    return made;
  }

  /** Makes an address known to the other ranks. */
  public void publish(String group, Address address) {
    ranks.publish(group, rank, address);
  }

  /** The address that a rank has published, as soon as it has. */
  public Address address(String group, int of) {
    return ranks.address(group, of);
  }

  public List<Address> addresses(String group) {
    return ranks.addresses(group);
  }

  public void connect() {
    mesh.connect(addresses("world"), Ranks.PATIENCE);
  }

  /** One more mesh of all ranks, connected; closed with the device. */
  public Mesh connectAnother(String group) {
    Mesh another = newMesh(group);
    another.connect(addresses(group), Ranks.PATIENCE);
    return another;
  }

  public Area area(long bytes) {
    skew = (skew + 13) % Memory.CACHE_LINE;
    return areaAt(bytes, skew);
  }

  Area areaAt(long bytes, int skewBytes) {
    int length = Math.toIntExact(bytes);
    Area area;
    synchronized (areas) {
      long block = blockInHeap(Area.blockBytes(length));
      area =
          block == 0 ? new Area(mesh, length, skewBytes) : new Area(mesh, length, skewBytes, block);
      areas.add(area);
    }
    return area;
  }

  /** Areas lie in memory of the mesh from here on, as long as this lasts. */
  public Allocation useHeap(long bytes) {
    heap = allocate(bytes);
    return heap;
  }

  /** Allocates memory that peers read in place, if they can. */
  public Allocation allocate(long bytes) {
    return mesh.capability(SharedHeap.class)
        .map(shared -> shared.allocate(bytes))
        .orElseGet(() -> Allocation.unshared(bytes));
  }

  private long blockInHeap(long bytes) {
    long at = (heapUsed + Memory.CACHE_LINE - 1) & -Memory.CACHE_LINE;
    if (heap == null || bytes > heap.bytes() - at) {
      return 0;
    }
    heapUsed = at + bytes;
    return heap.address() + at;
  }

  /** Frees areas before the end of the test. */
  public void free(Area... done) {
    for (Area area : done) {
      synchronized (areas) {
        areas.remove(area);
      }
      area.free();
    }
  }

  /** A request for a whole area. */
  public Request request(long slot, Area area) {
    return queue.newRequest().message(slot, area.buffer(), 0, area.length());
  }

  public Request send(int peer, long slot, Area area) {
    return send(peer, request(slot, area));
  }

  public Request send(int peer, Request request) {
    mesh.pair(peer).send(request);
    return request;
  }

  public Request recv(int peer, long slot, Area area) {
    return recv(peer, request(slot, area));
  }

  public Request recv(int peer, Request request) {
    mesh.pair(peer).recv(request);
    return request;
  }

  public Request recvAny(long slot, Area area, int... peers) {
    Request request = request(slot, area);
    mesh.recvAny(request, set(peers));
    return request;
  }

  static BitSet set(int... peers) {
    BitSet set = new BitSet();
    for (int peer : peers) {
      set.set(peer);
    }
    return set;
  }

  /** Waits until all these requests are done, and checks that they are. */
  public void complete(Request... requests) {
    for (Request request : requests) {
      end(request);
      if (request.state() != Request.State.DONE) {
        throw new AssertionError(
            "slot " + request.slot() + " is " + request.state(), request.failure());
      }
    }
  }

  /** Waits until the request has ended and takes it from its queue. */
  public Request end(Request request) {
    long deadline = deadline(Ranks.PATIENCE);
    while (!taken.remove(request)) {
      Request next = queue.poll();
      if (next != null) {
        taken.add(next);
      } else if (!queue.await(deadline)) {
        throw new AssertionError("slot " + request.slot() + " is still " + request.state());
      }
    }
    return request;
  }

  /** Waits until the request has failed by this kind of exception. */
  public <T extends JGlooException> T fails(Class<T> kind, Request request) {
    end(request);
    JGlooException failure = request.failure();
    if (request.state() != Request.State.FAILED || !kind.isInstance(failure)) {
      throw new AssertionError(
          "%s expected, but slot %d is %s"
              .formatted(kind.getSimpleName(), request.slot(), request.state()),
          failure);
    }
    return kind.cast(failure);
  }

  /** Sends a byte on a slot and forgets it. */
  public void tell(int peer, long slot) {
    complete(send(peer, slot, area(1)));
  }

  /** Waits for the byte of {@link #tell}. */
  public void hear(int peer, long slot) {
    complete(recv(peer, slot, area(1)));
  }

  public long deadline(Duration timeout) {
    return mesh.clock().nanoTime() + timeout.toNanos();
  }

  /** All ranks wait for each other, without using a mesh. */
  public void meet() {
    ranks.meet(++meetings);
  }

  /** Lets other threads and time go on, without driving the mesh. */
  public void pause(long millis) {
    ranks.until(() -> false, Duration.ofMillis(millis));
  }

  public void until(String what, BooleanSupplier condition) {
    if (!ranks.until(condition, Ranks.PATIENCE)) {
      throw new AssertionError("waited in vain until " + what);
    }
  }

  public Ranks.Fork fork(String name, Ranks.Program program) {
    return ranks.new Fork("rank-" + rank + "-" + name, program, this);
  }

  /** Closes the rank's devices. */
  void close() {
    device.close();
    for (AutoCloseable other : others) {
      try {
        other.close();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }

  void checkAndFree() {
    areas.forEach(Area::free);
    areas.clear();
    if (heap != null) {
      heap.close();
    }
  }
}
