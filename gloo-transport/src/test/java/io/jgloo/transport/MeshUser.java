package io.jgloo.transport;

/** Posts of a rank on a further mesh of its own, and waits for them. */
public class MeshUser {

  protected final Rank rank;
  private final Mesh mesh;
  private final CompletionQueue queue;

  protected MeshUser(Rank rank, Mesh mesh) {
    this.rank = rank;
    this.mesh = mesh;
    queue = mesh.newQueue();
  }

  public final Mesh mesh() {
    return mesh;
  }

  public final CompletionQueue queue() {
    return queue;
  }

  /** A request for a whole area. */
  public final Request request(long slot, Area area) {
    Buffer window = mesh.newBuffer().wrap(area.address(), area.length(), area);
    return queue.newRequest().message(slot, window, 0, area.length());
  }

  public final Request send(int peer, Request request) {
    mesh.pair(peer).send(request);
    return request;
  }

  public final Request send(int peer, long slot, Area area) {
    return send(peer, request(slot, area));
  }

  public final Request recv(int peer, Request request) {
    mesh.pair(peer).recv(request);
    return request;
  }

  public final Request recv(int peer, long slot, Area area) {
    return recv(peer, request(slot, area));
  }

  public final Request recvAny(Request request, int... peers) {
    mesh.recvAny(request, Rank.set(peers));
    return request;
  }

  // Of the only peer, rank 1.

  public final Request send(Request request) {
    return send(1, request);
  }

  public final Request send(long slot, Area area) {
    return send(1, slot, area);
  }

  public final Request recv(Request request) {
    return recv(1, request);
  }

  public final Request recv(long slot, Area area) {
    return recv(1, slot, area);
  }

  /** Looks once whether anything has arrived. */
  public final void look() {
    queue.progress();
  }

  /** Waits until a request has ended. */
  public final Request end(Request request) {
    long deadline = rank.deadline(Ranks.PATIENCE);
    while (!request.isDone()) {
      if (!queue.await(deadline)) {
        throw new AssertionError("slot " + request.slot() + " is still " + request.state());
      }
      drain();
    }
    drain();
    return request;
  }

  public final void drain() {
    while (queue.poll() != null) {
      // A request holds its failure.
    }
  }

  public final void complete(Request... requests) {
    for (Request request : requests) {
      if (end(request).state() != Request.State.DONE) {
        throw new AssertionError(
            "slot " + request.slot() + " is " + request.state(), request.failure());
      }
    }
  }

  public final <T extends JGlooException> T fails(Class<T> kind, Request request) {
    JGlooException failure = end(request).failure();
    if (!kind.isInstance(failure)) {
      throw new AssertionError(
          kind.getSimpleName() + " expected, but the request is " + request.state(), failure);
    }
    return kind.cast(failure);
  }

  /** What the mesh fails with; waits for it with a receive without a message. */
  public final JGlooException failure() {
    return fails(JGlooException.class, recv(0xdead, rank.area(1)));
  }
}
