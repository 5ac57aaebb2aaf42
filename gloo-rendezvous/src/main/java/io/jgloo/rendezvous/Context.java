package io.jgloo.rendezvous;

import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreException;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rendezvous.time.Deadline;
import io.jgloo.transport.ClosedException;
import io.jgloo.transport.Device;
import io.jgloo.transport.GlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;

/**
 * One rank's place in a group, from which it is connected to all others.
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
  private static final String SOCKETS = "tcp"; // the device that has an open file for each peer
  private static final Duration WITHDRAWAL = Duration.ofSeconds(1);

  private final Membership membership;
  private final ContextOptions options;

  // Guarded by this.
  private boolean used;
  private boolean closed;
  private Store store;
  private StoreClerk clerk; // while connecting
  private RankRecord record; // in the store, to be withdrawn
  private Mesh mesh;

  /**
   * A place in the group {@code world}.
   *
   * @throws IllegalArgumentException if size or rank is out of range
   */
  public Context(int rank, int size) {
    this(rank, size, ContextOptions.DEFAULT);
  }

  /**
   * A place in a group.
   *
   * @throws IllegalArgumentException if size or rank is out of range
   */
  public Context(int rank, int size, ContextOptions options) {
    membership = new Membership(options.group(), options.epoch(), rank, size);
    this.options = options;
  }

  /** Which rank of which group. */
  public Membership membership() {
    return membership;
  }

  /**
   * Meets the other ranks in the store and connects to them all; once per context.
   *
   * <p>If the device speaks one of Gloo's wires, the keys and values are Gloo's: the caller gives
   * each mesh a prefix of its own, nothing is removed, and neither two processes of one rank nor
   * different sizes are noticed for what they are.
   *
   * @return the connected mesh, which {@link #close} closes; it knows each rank's host
   * @throws RendezvousTimeoutException with exactly the ranks that had not come by the deadline
   * @throws DuplicateRankException if another living process claims this rank: thrown at the later
   *     one and, while it is still connecting, at the earlier
   * @throws WorldSizeMismatchException if ranks were given different sizes: thrown at all that are
   *     there
   * @throws RendezvousException if ranks use different kinds of device, or if this process may not
   *     have as many open files as the mesh needs
   * @throws StoreException as the store does; {@link StoreUnavailableException} also if it does not
   *     answer by the deadline
   * @throws ClosedException if the context, the store or the device is closed
   * @throws io.jgloo.transport.InterruptedOperationException if the thread is interrupted; its flag
   *     stays set
   * @throws GlooException as {@link Mesh#connect} does. After any failure nothing of this rank is
   *     left open; in the store its record is left only after a mismatch, so that ranks that come
   *     later learn of it, and does not hurt the next run.
   * @throws IllegalStateException if it was called before
   */
  public Mesh connectFullMesh(Store store, Device device) {
    if (store == null || device == null) {
      throw new IllegalArgumentException(
          (store == null ? "store" : "device") + " must not be null");
    }
    Mesh connecting = begin(store, device);
    return device.wire().isGloo()
        ? meetForeigners(connecting, store)
        : meetOwn(connecting, store, device);
  }

  /** Meets ranks of C++ Gloo by their keys; of these nothing is ours to remove. */
  private Mesh meetForeigners(Mesh connecting, Store store) {
    boolean connected = false;
    try {
      new GlooRendezvous(connecting, store, clerk, options.timeout()).run();
      connected = isOpen();
    } catch (GlooException e) {
      throw told(e);
    } finally {
      clerk.close();
      if (!connected) {
        close();
      }
    }
    if (!connected) {
      throw new ClosedException(this + " was closed");
    }
    return connecting;
  }

  private synchronized boolean isOpen() {
    return !closed;
  }

  private Mesh meetOwn(Mesh connecting, Store store, Device device) {
    RankKeys keys = new RankKeys(store, membership, clerk);
    Rendezvous rendezvous = new Rendezvous(connecting, device, keys, clerk, options.timeout());
    boolean connected = false;
    Parting parting = Parting.NONE;
    try {
      rendezvous.run();
      connected = finish(rendezvous);
    } catch (GlooException e) {
      if (e instanceof WorldSizeMismatchException) {
        rendezvous.leave();
      }
      parting = Parting.begin(store, membership, e);
      throw told(e);
    } finally {
      clerk.close();
      if (!connected && rendezvous.isPublished()) {
        withdraw(rendezvous.record());
      }
      parting.await(this::isClosed);
      if (!connected) {
        close();
      }
    }
    if (!connected) {
      throw new ClosedException(this + " was closed");
    }
    return connecting;
  }

  private synchronized Mesh begin(Store store, Device device) {
    if (used) {
      throw new IllegalStateException(this + " has been used");
    }
    if (closed) {
      throw new ClosedException(this + " is closed");
    }
    if (device.name().equals(SOCKETS)) {
      SystemLimits.requireFiles("a full mesh of " + membership.size(), membership.size() - 1);
    }
    mesh = device.newMesh(membership);
    used = true;
    clerk = new StoreClerk(store, membership.rank());
    this.store = store;
    return mesh;
  }

  /** False if somebody has closed the context in the last moment. */
  private synchronized boolean finish(Rendezvous rendezvous) {
    if (!closed) {
      record = rendezvous.record();
    }
    return !closed;
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private synchronized GlooException told(GlooException failure) {
    if (closed) {
      return new ClosedException(this + " was closed", failure);
    }
    return failure instanceof StoreException
        ? failure.again(this + " cannot meet the others")
        : failure;
  }

  /** Removes this rank's records, if the store still answers, and closes the mesh. Idempotent. */
  @Override
  public void close() {
    Mesh open;
    RankRecord published;
    synchronized (this) {
      closed = true;
      open = mesh;
      published = record;
      mesh = null;
      record = null;
    }
    // First the record, then the mesh: once the mesh is gone, another process may take the place.
    try {
      if (published != null) {
        withdraw(published);
      }
    } finally {
      if (open != null) {
        clerk.close();
        open.close();
      }
    }
  }

  private void withdraw(RankRecord published) {
    boolean interrupted = Thread.interrupted(); // else there would be no waiting for the store
    try (StoreClerk last = new StoreClerk(store, membership.rank())) {
      new RankKeys(store, membership, last).withdraw(published, Deadline.after(WITHDRAWAL));
    } catch (GlooException e) {
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
