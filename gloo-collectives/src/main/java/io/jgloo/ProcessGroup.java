package io.jgloo;

import io.jgloo.collectives.Call;
import io.jgloo.collectives.Collective;
import io.jgloo.rendezvous.Store;
import io.jgloo.transport.Device;
import io.jgloo.transport.GlooException;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Slot;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Ranks that compute together: one rank's view of the group it belongs to.
 *
 * <p>All ranks must make the same collective calls in the same order, with the same type, count,
 * operation and root; ranks that disagree get a {@link io.jgloo.transport.MismatchException} that
 * quotes both sides. Blocking calls return when this rank's part is done; {@code ...Async} ones
 * return {@link Work}. Zero elements and groups of one rank are fine everywhere.
 *
 * <p>When a call fails, the group has failed, at all ranks: later calls are told the first cause
 * again. The survivors form a new group, with the same store and device and the next epoch.
 *
 * <p><em>Threads</em>: any; several calls may be in progress, if all ranks begin them in one order.
 * <em>Owns</em>: its mesh; the device and the store only if it opened them. <em>Fails</em>: {@link
 * IllegalArgumentException} before a byte moves; {@link GlooException} for what happens in the
 * world, after which nothing touches the caller's memory any more.
 */
public final class ProcessGroup extends Overloads implements AutoCloseable {

  /** How long a call may take unless something else is said, as in Gloo. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

  private final Connection connection;
  private final CallOptions options;
  private final String algorithm;
  private final long timeoutNanos;

  ProcessGroup(Connection connection, CallOptions options) {
    super(connection.payloads());
    this.connection = connection;
    this.options = options;
    algorithm = options.algorithm().orElse(null);
    timeoutNanos = Connection.nanos(options.timeout().orElse(connection.timeout()));
  }

  /** Says who and where, and then connects. */
  public static GroupBuilder builder() {
    return new GroupBuilder();
  }

  /**
   * Meets the other ranks of the group {@code world} and connects to them all; what more there is to
   * say is said to a {@link #builder}.
   *
   * @param store where the ranks meet; stays the caller's
   * @param device how they reach each other; stays the caller's
   */
  public static ProcessGroup connect(int rank, int size, Store store, Device device) {
    return builder().rank(rank).size(size).store(store).device(device).connect();
  }

  /**
   * A group over a mesh that is connected already; the group closes it.
   *
   * @param timeout how long a call may take unless something else is said
   */
  public static ProcessGroup over(Mesh mesh, Duration timeout) {
    Arguments.present("mesh", mesh);
    Connection connection = new Connection(mesh, Arguments.timeout(timeout), List.of());
    return new ProcessGroup(connection, CallOptions.DEFAULTS);
  }

  /** The same group, its calls made with these options; closing either closes both. */
  public ProcessGroup with(CallOptions options) {
    return new ProcessGroup(connection, Arguments.present("options", options));
  }

  /** The options calls are made with. */
  public CallOptions options() {
    return options;
  }

  /** This rank, 0 to size - 1. */
  public int rank() {
    return connection.mesh().rank();
  }

  /** Number of ranks. */
  public int size() {
    return connection.mesh().size();
  }

  /** Name of the group. */
  public String name() {
    return connection.mesh().membership().group();
  }

  /** Incarnation of the group; survivors of a failure meet at the next. */
  public long epoch() {
    return connection.mesh().membership().epoch();
  }

  /** This rank's place among the ranks on its host. */
  public int localRank() {
    return connection.mesh().localRank();
  }

  /** Number of ranks on this rank's host. */
  public int localSize() {
    return connection.mesh().localSize();
  }

  /**
   * Reduces all ranks' vectors element by element; every rank ends with the result, the same bits
   * everywhere.
   *
   * @param x this rank's vector, replaced by the result
   */
  @Override
  public void allreduce(Payload x, ReduceOp op) {
    try {
      run(inPlace(Collective.ALLREDUCE, x, reduces(x, op), 0));
    } finally {
      spare(x);
    }
  }

  /** Starts {@link #allreduce(Payload, ReduceOp)}. */
  public Work allreduceAsync(Payload x, ReduceOp op) {
    return start(inPlace(Collective.ALLREDUCE, x, reduces(x, op), 0));
  }

  /**
   * Reduces all ranks' vectors element by element, and leaves this rank's own as it is.
   *
   * @param input this rank's vector
   * @param output where the result goes, of the same type and count, with no byte in common
   */
  @Override
  public void allreduce(Payload input, Payload output, ReduceOp op) {
    try {
      run(outOfPlace(Collective.ALLREDUCE, input, output, reduces(input, op), 0));
    } finally {
      spare(input);
      spare(output);
    }
  }

  /** Starts {@link #allreduce(Payload, Payload, ReduceOp)}. */
  public Work allreduceAsync(Payload input, Payload output, ReduceOp op) {
    return start(outOfPlace(Collective.ALLREDUCE, input, output, reduces(input, op), 0));
  }

  /**
   * Sends the root's vector to all ranks.
   *
   * @param x the vector; where it goes, except at the root
   */
  @Override
  public void broadcast(Payload x, int root) {
    try {
      run(inPlace(Collective.BROADCAST, x, null, Arguments.rank("root", root, size())));
    } finally {
      spare(x);
    }
  }

  /** Starts {@link #broadcast(Payload, int)}. */
  public Work broadcastAsync(Payload x, int root) {
    return start(inPlace(Collective.BROADCAST, x, null, Arguments.rank("root", root, size())));
  }

  /** Returns when all ranks have called it. */
  public void barrier() {
    run(call(Collective.BARRIER, DataType.INT8, null, 0, 0));
  }

  /** Starts {@link #barrier()}. */
  public Work barrierAsync() {
    return start(call(Collective.BARRIER, DataType.INT8, null, 0, 0));
  }

  /**
   * Sends elements to a peer; returns when the memory may be used again, which says nothing about
   * the peer. If it cannot be sent in time it is withdrawn and the group lives on, unless some of it
   * has been sent.
   *
   * @param tag 0 to 2^56 - 1; messages of one tag arrive in order, different tags do not wait for
   *     each other
   */
  public void send(Payload x, int peer, long tag) {
    Call call = message(x, peer(peer), tag);
    try {
      connection.mailbox().send(peer, tag, x.type(), call.output(), timeoutNanos);
    } finally {
      done(call);
    }
  }

  /** Starts {@link #send}. */
  public Work sendAsync(Payload x, int peer, long tag) {
    Call call = message(x, peer(peer), tag);
    try {
      return new Work(
          connection.mailbox().startSend(peer, tag, x.type(), call.output(), timeoutNanos));
    } finally {
      done(call);
    }
  }

  /**
   * Receives elements from a peer, of exactly the type and count that is sent. If none come in time
   * the receive is withdrawn and the group lives on, unless some of it has come.
   *
   * @param tag as the sender's
   */
  public void recv(Payload x, int peer, long tag) {
    Call call = message(x, peer(peer), tag);
    try {
      connection.mailbox().recv(peer, tag, x.type(), call.output(), timeoutNanos);
    } finally {
      done(call);
    }
  }

  /** Starts {@link #recv}. */
  public Work recvAsync(Payload x, int peer, long tag) {
    Call call = message(x, peer(peer), tag);
    try {
      return new Work(
          connection.mailbox().startRecv(peer, tag, x.type(), call.output(), timeoutNanos));
    } finally {
      done(call);
    }
  }

  /**
   * Receives from whichever rank sends first with this tag.
   *
   * @param peers ranks to listen to, this one not among them
   * @return the rank it came from
   */
  public int recvAny(Payload x, BitSet peers, long tag) {
    Arguments.present("peers", peers);
    if (peers.isEmpty() || peers.length() > size() || peers.get(rank())) {
      throw new IllegalArgumentException(
          ("peers must be ranks below " + size() + " and not " + rank())
              + (", and at least one, but are " + peers));
    }
    Call call = message(x, 0, tag);
    try {
      return connection.mailbox().recvAny(peers, tag, x.type(), call.output(), timeoutNanos);
    } finally {
      done(call);
    }
  }

  /** Name of the algorithm that such a call would be done by. */
  public String explain(Collective collective, DataType type, long count) {
    Call call = call(Arguments.present("collective", collective), type, null, count, 0);
    try {
      return connection.executor().algorithm(call);
    } finally {
      done(call);
    }
  }

  /** Why the group failed, if it has. */
  public Optional<GlooException> failure() {
    return connection.executor().failure();
  }

  /** Fails the group at all ranks, whose calls end with this reason. */
  public void abort(String reason) {
    connection.executor().abort(Arguments.present("reason", reason));
  }

  /**
   * Says good-bye to the other ranks and closes all links; calls in progress fail. Returns within
   * about a second; may be called often and from any thread.
   */
  @Override
  public void close() {
    connection.close();
  }

  private void run(Call call) {
    try {
      connection.executor().run(call);
    } finally {
      done(call);
    }
  }

  private Work start(Call call) {
    try {
      return new Work(connection.executor().start(call));
    } finally {
      done(call);
    }
  }

  private void done(Call call) {
    call.clear();
    connection.calls().give(call);
  }

  private static void spare(Payload payload) {
    if (payload != null) {
      payload.spare();
    }
  }

  private Call call(Collective collective, DataType type, ReduceOp op, long count, int root) {
    return connection
        .calls()
        .take()
        .of(collective, type, op, count, root)
        .by(algorithm, timeoutNanos);
  }

  private Call inPlace(Collective collective, Payload x, ReduceOp op, int root) {
    Arguments.present("payload", x);
    Call call = call(collective, x.type(), op, x.count(), root);
    x.describe(call.output());
    return call;
  }

  private Call outOfPlace(Collective what, Payload input, Payload output, ReduceOp op, int root) {
    Arguments.present("output", output);
    if (input.type() != output.type() || input.count() != output.count()) {
      throw new IllegalArgumentException(
          "output must be as the input, " + input + ", but is " + output);
    }
    if (input.overlaps(output)) {
      throw new IllegalArgumentException(
          "input and output must not overlap; with one vector for both the call is in place");
    }
    Call call = call(what, input.type(), op, input.count(), root);
    input.describe(call.input());
    output.describe(call.output());
    return call;
  }

  private ReduceOp reduces(Payload x, ReduceOp op) {
    Arguments.present("payload", x);
    if (!Arguments.present("op", op).appliesTo(x.type())) {
      throw new IllegalArgumentException(
          "op " + op + " has no meaning on " + Arguments.name(x.type()));
    }
    return op;
  }

  private int peer(int peer) {
    if (Arguments.rank("peer", peer, size()) == rank()) {
      throw new IllegalArgumentException("peer must be another rank, but is this one, " + peer);
    }
    return peer;
  }

  private Call message(Payload x, int peer, long tag) {
    Arguments.present("payload", x);
    if (tag < 0 || tag > Slot.MAX_NUMBER) {
      throw new IllegalArgumentException("tag must be 0 to 2^56 - 1, but is " + tag);
    }
    Call call = call(Collective.BARRIER, x.type(), null, x.count(), 0);
    x.describe(call.output());
    return call;
  }
}
