package io.jgloo;

import io.jgloo.collectives.CostModel;
import io.jgloo.collectives.cppgloo.CppGlooDialect;
import io.jgloo.collectives.execution.Call;
import io.jgloo.collectives.execution.Dialect;
import io.jgloo.collectives.execution.Executor;
import io.jgloo.collectives.kernel.Arithmetic;
import io.jgloo.collectives.kernel.Kernels;
import io.jgloo.rendezvous.Context;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.transport.Address;
import io.jgloo.transport.Clock;
import io.jgloo.transport.Device;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Wire;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The common part of all views of a group: its mesh, its executor, and what was opened for it.
 *
 * <p><em>Threads</em>: any. <em>Owns</em>: all of it.
 */
final class Connection implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(Connection.class.getName());

  private final Mesh mesh;
  private final CostModel costs;
  private final Optional<Device> device;
  private final AtomicLong subGroups = new AtomicLong();
  private final Duration timeout;
  private final Executor executor;
  private final List<AutoCloseable> opened;
  private final AtomicBoolean letGo = new AtomicBoolean();
  private final Pool<Payload> payloads = new Pool<>(Payload::new);
  private final Pool<Call> calls = new Pool<>(Call::new);
  private @Nullable Origin origin; // null if it is not known
  private @Nullable List<Integer> ranks;
  private @Nullable CallDumps dumps; // null if there is no directory for them
  private @Nullable Path dumpDirectory;

  /**
   * @param device that made the mesh, {@code null} if that is not known
   * @param opened what is closed after the mesh, in this order
   * @param costs by which algorithms are chosen
   * @param dialect of this group alone
   */
  Connection(
      Mesh mesh,
      @Nullable Device device,
      Duration timeout,
      List<AutoCloseable> opened,
      CostModel costs,
      Dialect dialect) {
    this.mesh = mesh;
    this.costs = costs;
    this.device = Optional.ofNullable(device);
    this.timeout = timeout;
    this.opened = List.copyOf(opened);
    Arithmetic arithmetic = mesh.wire().isGloo() ? Kernels.GLOO : Kernels.ARITHMETIC;
    executor = new Executor(mesh, arithmetic, costs, dialect);
  }

  /** What ranks speak over a mesh of that wire, unless more is known about them. */
  static Dialect dialect(Wire wire) {
    return wire.isGloo() ? new CppGlooDialect() : Dialect.own();
  }

  /** A timeout as nanoseconds, bounded so that now and it make an instant. */
  static long nanos(Duration timeout) {
    return Clock.nanos(timeout);
  }

  /**
   * What survivors need to find each other.
   *
   * @param store of the group, or of the one it was made from
   * @param addresses of all ranks
   */
  record Origin(@Nullable Store store, List<Address> addresses) {}

  /** Where the group was made; before it is used. */
  Connection from(Origin origin) {
    this.origin = origin;
    return this;
  }

  /** The store through which the group was made, or null. */
  @Nullable Store store() {
    return origin == null ? null : origin.store();
  }

  /** Ranks of the members in the first group; before it is used. */
  Connection ranks(List<Integer> ranks) {
    this.ranks = List.copyOf(ranks);
    return this;
  }

  /** Ranks of the members in the group from which it comes, over all steps. */
  List<Integer> ranks() {
    return ranks == null ? IntStream.range(0, mesh.membership().size()).boxed().toList() : ranks;
  }

  /** The ranks in the first group of these of our ranks. */
  List<Integer> ranksOf(List<Integer> members) {
    return members.stream().map(ranks()::get).toList();
  }

  /** Forms the group of the survivors, and takes what was opened for this one to it. */
  Connection shrink(Duration timeout) {
    if (origin == null || origin.store() == null || device.isEmpty() || mesh.wire().isGloo()) {
      throw new UnsupportedOperationException(
          "a group can shrink if it was connected through a store, on JGloo's own wire;"
              + (" this one has the wire " + mesh.wire() + (store() == null ? ", no store" : "")));
    }
    if (letGo.get()) {
      throw new IllegalStateException(mesh.membership() + " is closed");
    }
    if (executor.failure().isEmpty()) {
      executor.abort("rank " + mesh.membership().rank() + " shrinks the group");
    }
    Shrink.Result result = new Shrink(this, origin, timeout).run();
    Connection next =
        new Connection(
            result.mesh(), device.get(), this.timeout, withoutContext(), costs, Dialect.own());
    next.from(new Origin(origin.store(), result.addresses()));
    next.ranks(ranksOf(result.members())).dumpTo(dumpDirectory);
    if (letGo.compareAndSet(false, true)) {
      opened.stream().filter(Context.class::isInstance).map(List::of).forEach(Connection::closeAll);
    }
    close();
    return next;
  }

  private List<AutoCloseable> withoutContext() {
    return opened.stream().filter(each -> !(each instanceof Context)).toList();
  }

  /**
   * Has the last calls written to a directory when the group fails; before the group is used.
   *
   * @param directory {@code null} for none
   */
  Connection dumpTo(@Nullable Path directory) {
    if (directory != null) {
      dumpDirectory = directory;
      dumps = new CallDumps(executor.calls(), directory, mesh.membership().group());
      executor.onFailure(dumps::failed);
    }
    return this;
  }

  /** Where the last calls are written when the group fails, or null. */
  @Nullable Path dumpDirectory() {
    return dumpDirectory;
  }

  Mesh mesh() {
    return mesh;
  }

  Optional<Device> device() {
    return device;
  }

  /** Number of the next group that is made of some of these ranks; the same at all ranks. */
  long nextSubGroup() {
    return subGroups.getAndIncrement();
  }

  CostModel costs() {
    return costs;
  }

  Duration timeout() {
    return timeout;
  }

  Executor executor() {
    return executor;
  }

  Pool<Payload> payloads() {
    return payloads;
  }

  Pool<Call> calls() {
    return calls;
  }

  @Override
  public void close() {
    if (executor.closesLater(this::close)) {
      return;
    }
    boolean unnoticed = mesh.failure().isPresent() && executor.failure().isEmpty();
    if (dumps != null && unnoticed && !letGo.get()) {
      dumps.failed(); // the group failed while no call was in progress here
    }
    executor.close();
    if (dumps != null) {
      dumps.close();
    }
    if (letGo.compareAndSet(false, true)) {
      closeAll(opened);
    }
  }

  /** Closes what was opened, in that order, and goes on if something cannot be closed. */
  static void closeAll(List<AutoCloseable> opened) {
    for (AutoCloseable resource : opened) {
      try {
        resource.close();
      } catch (Exception e) {
        LOG.log(System.Logger.Level.WARNING, "cannot close " + resource, e);
      }
    }
  }
}
