package io.jgloo.rendezvous;

import io.jgloo.rendezvous.time.Deadline;
import io.jgloo.transport.Address;
import io.jgloo.transport.Buffer;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.Device;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.OperationTimeoutException;
import io.jgloo.transport.Request;
import io.jgloo.transport.Wire;
import io.jgloo.transport.cppgloo.CppGlooAddress;
import io.jgloo.transport.memory.Memory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Makes further meshes of the same ranks over one that is connected, without a store, as C++ Gloo's
 * class of that name does.
 *
 * <p>Each rank sends the address of the new pair to each other rank, connects, and sends an
 * acknowledgement. Both are messages for a place in the receiver's buffer ({@link Request#bound}),
 * on two slots.
 *
 * <p>Threads: one at a time. Owns: its buffers; not the mesh, nor those it makes.
 */
public final class ContextFactory {
  private static final int ACK_BYTES = 4; // of any content

  private final Mesh backing;
  private final long addressSlot;
  private final long ackSlot;
  private final CompletionQueue queue;

  /**
   * A factory on a mesh of a Gloo wire.
   *
   * @param slot the first of the two slots it uses: in C++ two of the backing context's counter
   * @throws IllegalArgumentException if the mesh speaks another wire
   */
  public ContextFactory(Mesh backing, long slot) {
    if (!backing.wire().isGloo()) {
      throw new IllegalArgumentException(
          "backing mesh must speak one of Gloo's wires, speaks " + backing.wire());
    }
    this.backing = backing;
    addressSlot = slot;
    ackSlot = slot + 1;
    queue = backing.newQueue();
  }

  /**
   * A new mesh of the same ranks; called by all of them.
   *
   * @param device to connect through, of the same wire
   * @return the connected mesh, which the caller closes
   * @throws OperationTimeoutException with the ranks that have not answered by the deadline; the
   *     backing mesh is failed, as receives are left in it
   * @throws JGlooException as {@link Mesh#connect} does, or as the backing mesh has failed
   */
  public Mesh makeMesh(Device device, Duration timeout) {
    if (device.wire() != backing.wire()) {
      throw new IllegalArgumentException(
          "wire of the device is "
              + device.wire()
              + ", that of the backing mesh "
              + backing.wire());
    }
    Deadline deadline = Deadline.after(timeout, backing.clock());
    Mesh made = device.newMesh(backing.membership());
    boolean connected = false;
    try {
      made.connect(exchange(made.address(), deadline), deadline.remaining());
      awaitOthers(deadline);
      connected = true;
    } finally {
      if (!connected) {
        made.close();
      }
    }
    return made;
  }

  /** Sends each rank the address of its new pair, and receives those of the others. */
  private List<Address> exchange(Address own, Deadline deadline) {
    Wire wire = backing.wire();
    int size = backing.membership().size();
    int rank = backing.membership().rank();
    ByteBuffer sent = ByteBuffer.allocateDirect(size * CppGlooAddress.BYTES);
    ByteBuffer received = ByteBuffer.allocateDirect(size * CppGlooAddress.BYTES);
    for (int peer = 0; peer < size; peer++) {
      if (peer != rank) {
        sent.put(
            peer * CppGlooAddress.BYTES,
            CppGlooAddress.ofPair(wire, own.payload(), rank, peer, size).encode());
      }
    }
    swap(addressSlot, sent, received, CppGlooAddress.BYTES, deadline);
    List<Address> addresses = new ArrayList<>();
    for (int peer = 0; peer < size; peer++) {
      if (peer == rank) {
        addresses.add(own);
        continue;
      }
      byte[] bytes = new byte[CppGlooAddress.BYTES];
      received.get(peer * CppGlooAddress.BYTES, bytes);
      CppGlooAddress pair = CppGlooAddress.decode(bytes);
      byte[] payload = CppGlooAddress.payloadOfPair(wire, pair, peer, rank, size);
      addresses.add(CppGlooRankBlob.address(own.device(), backing.hosts().get(peer), payload));
    }
    return addresses;
  }

  private void awaitOthers(Deadline deadline) {
    ByteBuffer sent = ByteBuffer.allocateDirect(backing.membership().size() * ACK_BYTES);
    ByteBuffer received = ByteBuffer.allocateDirect(backing.membership().size() * ACK_BYTES);
    swap(ackSlot, sent, received, ACK_BYTES, deadline);
  }

  /** Sends each peer its part of one buffer and receives as much into its part of the other. */
  private void swap(
      long slot, ByteBuffer sent, ByteBuffer received, int length, Deadline deadline) {
    Buffer out = backing.newBuffer().wrap(Memory.addressOf(sent), sent.capacity(), sent);
    Buffer in = backing.newBuffer().wrap(Memory.addressOf(received), received.capacity(), received);
    Set<Request> open = new HashSet<>();
    for (int peer = 0; peer < backing.membership().size(); peer++) {
      if (peer != backing.membership().rank()) {
        long offset = (long) peer * length;
        Request receive = queue.newRequest().message(slot, in, offset, length).bound(0);
        Request send = queue.newRequest().message(slot, out, offset, length).bound(0);
        open.add(receive);
        open.add(send);
        backing.pair(peer).recv(receive);
        backing.pair(peer).send(send);
      }
    }
    await(open, deadline);
    out.close();
    in.close();
  }

  private void await(Set<Request> open, Deadline deadline) {
    long atNanos = backing.clock().nanoTime() + deadline.remainingNanos();
    while (!open.isEmpty()) {
      if (!queue.await(atNanos) && deadline.passed()) {
        TreeSet<Integer> missing = new TreeSet<>();
        open.forEach(request -> missing.add(request.peer()));
        OperationTimeoutException cause =
            new OperationTimeoutException(
                "ranks " + Membership.list(missing) + " do not join the new mesh beside " + backing,
                missing);
        backing.abort(cause);
        throw cause;
      }
      for (Request done = queue.poll(); done != null; done = queue.poll()) {
        if (done.state() != Request.State.DONE) {
          throw Objects.requireNonNull(done.failure())
              .again("cannot make a new mesh beside " + backing);
        }
        open.remove(done);
      }
    }
  }
}
