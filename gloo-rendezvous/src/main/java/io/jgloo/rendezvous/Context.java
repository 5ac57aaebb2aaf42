package io.jgloo.rendezvous;

import io.jgloo.rendezvous.join.RecordSeal;
import io.jgloo.rendezvous.join.StoreJoin;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreException;
import io.jgloo.rendezvous.store.StoreKeys;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rendezvous.time.Deadline;
import io.jgloo.transport.Address;
import io.jgloo.transport.Clock;
import io.jgloo.transport.ClosedException;
import io.jgloo.transport.Device;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.flight.Flight;
import io.jgloo.transport.flight.RendezvousEvent;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One rank of a group, which it connects to all others.
 *
 * <pre>{@code
 * try (Context context = new Context(rank, size)) {
 *   Mesh mesh = context.connectFullMesh(store, device);
 *   ...
 * }
 * }</pre>
 *
 * <p>Threads: one connects; any may close, which ends connecting.
 *
 * <p>Owns: the mesh, and this rank's records in the store, which it removes. Not the store or the
 * device.
 */
public final class Context implements AutoCloseable {
  private static final Logger LOG = System.getLogger(Context.class.getName());
  private static final Duration WITHDRAWAL = Duration.ofSeconds(1);

  private final Membership membership;
  private final Duration timeout;
  private final StoreExecutor.Factory executors;

  // Guarded by this.
  private boolean used;
  private boolean closed;

  @SuppressWarnings("NullAway.Init") // set by connect, before the record
  private Store store;

  @SuppressWarnings("NullAway.Init") // set by connect, before the record
  private Clock clock; // of the device

  @SuppressWarnings("NullAway.Init") // set by connect, before the record
  private RecordSeal seal;

  @SuppressWarnings("NullAway.Init") // set by connect, before the record
  private StoreExecutor executor; // while connecting

  private @Nullable RankRecord record; // in the store; removed at the end
  private @Nullable Mesh mesh;
  private List<Address> addresses = List.of();

  /**
   * A rank of the group {@code world}, which waits {@link Store#DEFAULT_TIMEOUT} for the others.
   *
   * @throws IllegalArgumentException if size or rank is out of range
   */
  public Context(int rank, int size) {
    this(new Membership("world", 0, rank, size), Store.DEFAULT_TIMEOUT);
  }

  /**
   * A rank of a group.
   *
   * @param membership with a group that names its keys in the store, the same at all ranks; of
   *     another epoch if it connects again
   * @param timeout how long to wait for the other ranks
   * @throws IllegalArgumentException if the group is empty or no key, or the timeout not positive
   */
  public Context(Membership membership, Duration timeout) {
    this(membership, timeout, StoreExecutor::new);
  }

  Context(Membership membership, Duration timeout, StoreExecutor.Factory executors) {
    if (StoreKeys.require(membership.group()).isEmpty()) {
      throw new IllegalArgumentException("group must not be empty");
    }
    if (timeout == null || timeout.isZero() || timeout.isNegative()) {
      throw new IllegalArgumentException("timeout must be positive, is " + timeout);
    }
    this.membership = membership;
    this.timeout = timeout;
    this.executors = executors;
  }

  /** The rank, size, group and epoch. */
  public Membership membership() {
    return membership;
  }

  /**
   * Finds the other ranks through the store and connects to them all; once per context.
   *
   * <p>If the device speaks one of Gloo's wires, the keys and values are Gloo's: the caller gives
   * each mesh a prefix of its own, no key is removed, and neither two processes of one rank nor
   * different sizes are detected as such.
   *
   * @return the connected mesh, which {@link #close} closes; it knows each rank's host
   * @throws RendezvousTimeoutException with exactly the ranks that did not join by the deadline
   * @throws DuplicateRankException if another live process claims this rank: thrown at the later
   *     one and, while it is still connecting, at the earlier
   * @throws WorldSizeMismatchException if ranks have different sizes: thrown at all ranks that are
   *     connecting
   * @throws io.jgloo.transport.AuthenticationException if the device has a job secret, and a
   *     process that does not prove to have it has registered or connected in place of a rank, or
   *     if only the others have a secret: by the deadline, mostly within some seconds
   * @throws RendezvousException if ranks use different kinds of device, or if this process may not
   *     have as many open files as the mesh needs
   * @throws StoreException as the store does; {@link StoreUnavailableException} also if it does not
   *     answer by the deadline
   * @throws ClosedException if the context, the store or the device is closed
   * @throws io.jgloo.transport.InterruptedOperationException if the thread is interrupted; its flag
   *     stays set
   * @throws JGlooException as {@link Mesh#connect} does. After any failure no resource of this rank
   *     is left open; its record stays in the store only after a mismatch, so that later ranks
   *     report the mismatch too, and does not affect the next run.
   * @throws IllegalStateException if it was called before
   */
  public Mesh connectFullMesh(Store store, Device device) {
    return connectFullMesh(store, device, timeout);
  }

  /**
   * As {@link #connectFullMesh(Store, Device)}, for a caller that has used up a part of the
   * timeout, by opening the store.
   *
   * @param left how much of the timeout is left; messages name the whole
   */
  public Mesh connectFullMesh(Store store, Device device, Duration left) {
    if (store == null || device == null) {
      throw new IllegalArgumentException(
          (store == null ? "store" : "device") + " must not be null");
    }
    Mesh connecting = begin(store, device);
    if (Flight.isRunning()) {
      RendezvousEvent.of(membership, () -> connect(connecting, store, device, left));
    } else {
      connect(connecting, store, device, left);
    }
    return connecting;
  }

  private void connect(Mesh connecting, Store store, Device device, Duration left) {
    Deadline deadline = Deadline.after(left, device.clock());
    if (device.wire().isGloo()) {
      connectGloo(connecting, store, deadline);
    } else {
      connectOwn(connecting, store, device, deadline);
    }
  }

  /** Connects to ranks of C++ Gloo by their keys, of which none is removed. */
  private void connectGloo(Mesh connecting, Store store, Deadline deadline) {
    StoreJoin join = new StoreJoin(store);
    boolean connected = false;
    try {
      CppGlooRendezvous rendezvous =
          new CppGlooRendezvous(connecting, store, executor, timeout, deadline);
      for (boolean met = false; !met; ) {
        try {
          rendezvous.run();
          met = true;
        } catch (StoreUnavailableException e) {
          join.reconnect(e, deadline.remaining());
        }
      }
      connected = isOpen();
    } catch (JGlooException e) {
      throw translated(e);
    } finally {
      executor.close();
      if (!connected) {
        close();
      }
    }
    if (!connected) {
      throw new ClosedException(this + " was closed");
    }
  }

  private synchronized boolean isOpen() {
    return !closed;
  }

  private void connectOwn(Mesh connecting, Store store, Device device, Deadline deadline) {
    StoreJoin join = new StoreJoin(store);
    RankKeys keys = new RankKeys(store, membership, executor, seal);
    Rendezvous rendezvous = newRendezvous(connecting, device, keys, deadline);
    boolean connected = false;
    StoreShutdown shutdown = StoreShutdown.NONE;
    try {
      for (boolean met = false; !met; ) {
        try {
          rendezvous.run();
          met = true;
        } catch (StoreUnavailableException e) {
          join.reconnect(e, deadline.remaining());
          rendezvous = newRendezvous(connecting, device, keys, deadline);
        }
      }
      connected = finish(rendezvous);
    } catch (JGlooException e) {
      if (e instanceof WorldSizeMismatchException) {
        rendezvous.leave();
      }
      shutdown = StoreShutdown.begin(store, membership, seal, e);
      throw translated(StoreShutdown.explained(store, e));
    } finally {
      executor.close();
      if (!connected && rendezvous.isPublished()) {
        withdraw(rendezvous.record());
      }
      shutdown.await(this::isClosed);
      if (!connected) {
        close();
      }
    }
    if (!connected) {
      throw new ClosedException(this + " was closed");
    }
  }

  private Rendezvous newRendezvous(
      Mesh connecting, Device device, RankKeys keys, Deadline deadline) {
    return new Rendezvous(connecting, device, keys, executor, timeout, deadline);
  }

  private synchronized Mesh begin(Store store, Device device) {
    if (used) {
      throw new IllegalStateException(this + " has been used");
    }
    if (closed) {
      throw new ClosedException(this + " is closed");
    }
    mesh = device.newMesh(membership);
    used = true;
    executor = executors.open(store, membership.rank());
    this.store = store;
    clock = device.clock();
    seal = RecordSeal.of(device.secret(), membership);
    return mesh;
  }

  /** False if the context was closed meanwhile. */
  private synchronized boolean finish(Rendezvous rendezvous) {
    if (!closed) {
      record = rendezvous.record();
      addresses = rendezvous.addresses();
    }
    return !closed;
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private synchronized JGlooException translated(JGlooException failure) {
    if (closed) {
      return new ClosedException(this + " was closed", failure);
    }
    return failure instanceof StoreException
        ? failure.again(this + " cannot connect to the other ranks")
        : failure;
  }

  /**
   * The addresses of all ranks' meshes, by rank: what a device needs to find out whether a rank is
   * alive. Empty before the ranks are connected, and on Gloo's wires.
   */
  public synchronized List<Address> addresses() {
    return addresses;
  }

  /** Removes this rank's records, if the store still answers, and closes the mesh. Idempotent. */
  @Override
  public void close() {
    Mesh open;
    @Nullable RankRecord published;
    synchronized (this) {
      closed = true;
      open = mesh;
      published = record;
      mesh = null;
      record = null;
    }
    // The record before the mesh: once the mesh is closed, another process may replace the record.
    try {
      if (published != null) {
        withdraw(published);
      }
    } finally {
      if (open != null) {
        executor.close();
        open.close();
      }
    }
  }

  private void withdraw(RankRecord published) {
    boolean interrupted =
        Thread.interrupted(); // otherwise the wait for the store would end at once
    try (StoreExecutor last = executors.open(store, membership.rank())) {
      Deadline deadline = Deadline.after(WITHDRAWAL, clock);
      new RankKeys(store, membership, last, seal).withdraw(published, deadline);
    } catch (JGlooException e) {
      LOG.log(Level.DEBUG, "{0} leaves its record in the store: {1}", this, e.getMessage());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public String toString() {
    return "Context[" + membership + "]";
  }
}
