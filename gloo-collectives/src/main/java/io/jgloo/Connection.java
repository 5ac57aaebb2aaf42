package io.jgloo;

import io.jgloo.collectives.CostModel;
import io.jgloo.collectives.execution.Call;
import io.jgloo.collectives.execution.Dialect;
import io.jgloo.collectives.execution.Executor;
import io.jgloo.collectives.gloo.GlooDialect;
import io.jgloo.collectives.kernel.Arithmetic;
import io.jgloo.collectives.kernel.Kernels;
import io.jgloo.transport.Clock;
import io.jgloo.transport.Device;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Wire;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What all views of a group share: its mesh, its executor, and what was opened for it.
 *
 * <p><em>Threads</em>: any. <em>Owns</em>: all of it.
 */
final class Connection implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(ProcessGroup.class.getName());

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

  /**
   * @param opened what is closed after the mesh, in this order
   */
  Connection(Mesh mesh, Duration timeout, List<AutoCloseable> opened) {
    this(mesh, null, timeout, opened);
  }

  /**
   * @param device that made the mesh, {@code null} if that is not known
   * @param opened what is closed after the mesh, in this order
   */
  Connection(Mesh mesh, Device device, Duration timeout, List<AutoCloseable> opened) {
    this(mesh, device, timeout, opened, CostModel.DEFAULT);
  }

  /**
   * @param costs by which algorithms are chosen
   */
  Connection(
      Mesh mesh, Device device, Duration timeout, List<AutoCloseable> opened, CostModel costs) {
    this(mesh, device, timeout, opened, costs, dialect(mesh.wire()));
  }

  /**
   * @param dialect of this group alone
   */
  Connection(
      Mesh mesh,
      Device device,
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
    return wire.isGloo() ? new GlooDialect(wire) : Dialect.own();
  }

  /** A timeout as nanoseconds, bounded so that now and it make an instant. */
  static long nanos(Duration timeout) {
    return Clock.nanos(timeout);
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
    executor.close();
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
