package io.jgloo;

import io.jgloo.collectives.CostModel;
import io.jgloo.collectives.cppgloo.PyTorchDialect;
import io.jgloo.collectives.execution.Dialect;
import io.jgloo.rendezvous.Context;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreCredentials;
import io.jgloo.rendezvous.store.TcpStore;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.JobSecret;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.TlsOptions;
import io.jgloo.transport.Wire;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Collects the settings of a group and connects its ranks.
 *
 * <pre>{@code
 * ProcessGroup group =
 *     ProcessGroup.builder().rank(0).size(4).store("tcp://host:29500").connect();
 * }</pre>
 *
 * <p>A store or device object remains the caller's; one that is named here is opened for the group
 * and closed with it. Survivors of a failure go on by {@link ProcessGroup#shrink}, before they
 * close the failed group.
 *
 * <p><em>Threads</em>: one.
 */
public final class GroupBuilder {

  private static final String TCP = "tcp";
  private static final String WIRE = "wire";
  private static final Duration SHORTEST = Duration.ofMillis(1);

  private int rank = -1;
  private int size = -1;
  private @Nullable Store store;
  private @Nullable String storeUrl;
  private @Nullable Device device;
  private String deviceName = TCP;
  private DeviceOptions deviceOptions = DeviceOptions.DEFAULTS;
  private @Nullable JobSecret secret;
  private String name = "world";
  private long epoch;
  private boolean pytorch;
  private @Nullable String pytorchKeys;
  private @Nullable Path dumpDirectory;
  private CostModel costs = CostModel.DEFAULT;
  private Duration timeout = ProcessGroup.DEFAULT_TIMEOUT;
  private Duration connectTimeout = Store.DEFAULT_TIMEOUT;

  GroupBuilder() {}

  /** This rank, 0 to size - 1. */
  public GroupBuilder rank(int rank) {
    this.rank = rank;
    return this;
  }

  /** Number of ranks. */
  public GroupBuilder size(int size) {
    this.size = size;
    return this;
  }

  /** Store through which the ranks exchange addresses. */
  public GroupBuilder store(Store store) {
    this.store = Arguments.present("store", store);
    storeUrl = null;
    return this;
  }

  /**
   * Store through which the ranks exchange addresses, by its URL (see {@link Stores}): {@code
   * file:///dir}, {@code tcp://host:port}, {@code redis://host:port}.
   */
  public GroupBuilder store(String url) {
    storeUrl = Arguments.present("store", url);
    store = null;
    return this;
  }

  /** Device that connects the ranks. */
  public GroupBuilder device(Device device) {
    this.device = Arguments.present("device", device);
    return this;
  }

  /** Device that connects the ranks: its kind, {@code tcp} by default, and its attributes. */
  public GroupBuilder device(String name, DeviceOptions options) {
    deviceName = Arguments.present("device", name);
    deviceOptions = Arguments.present("device options", options);
    device = null;
    return this;
  }

  /**
   * The secret of the job, the same at all ranks: processes that do not prove to have it cannot
   * join or connect, nor use a store at {@code tcp://} that is named here. It takes the place of
   * attribute {@code secret-file} of a device that is named here; a device object has its own.
   */
  public GroupBuilder secret(JobSecret secret) {
    this.secret = Arguments.present("secret", secret);
    return this;
  }

  /**
   * Encrypts the connections of a TCP device and of a store at {@code tcp://} that are named here,
   * and lets them connect to processes with certificates of the job only. It takes the place of the
   * device's attributes {@code tls-...}; a device object has its own, which such a store uses too.
   */
  public GroupBuilder tls(TlsOptions options) {
    deviceOptions = Arguments.present("options", options).addTo(deviceOptions);
    return this;
  }

  /**
   * Wire format of a device that is named here; the own one of JGloo by default. On one of Gloo's
   * wires the group meets ranks of C++ Gloo: under their keys, so that each group needs a store, or
   * a {@link io.jgloo.rendezvous.store.PrefixStore}, of its own.
   */
  public GroupBuilder wire(Wire wire) {
    deviceOptions = deviceOptions.with(WIRE, Arguments.present("wire", wire).toString());
    return this;
  }

  /**
   * Joins the default group of PyTorch processes that have called {@code init_process_group("gloo",
   * init_method=...)}: meets them under their keys, and numbers calls as they do. The wire is
   * {@link Wire#GLOO} by default; {@link Wire#GLOO_CLASSIC} is for PyTorch up to 1.13.
   */
  public GroupBuilder pytorch() {
    pytorch = true;
    return this;
  }

  /**
   * The same under other keys: the prefix of all of a group's ranks, for one made by a store of the
   * caller's own ({@code 0//cpu//0}) or by {@code new_group} ({@code default_pg/1//cpu//0}).
   */
  public GroupBuilder pytorch(String keys) {
    pytorchKeys = Arguments.present("keys", keys);
    return pytorch();
  }

  /** Name of the group, {@code world} by default; groups of one store need different ones. */
  public GroupBuilder name(String name) {
    this.name = Arguments.present("name", name);
    return this;
  }

  /** Incarnation of the group, 0 for the first; survivors of a failure take the next. */
  public GroupBuilder epoch(long epoch) {
    this.epoch = epoch;
    return this;
  }

  /**
   * Timeout of calls without one of their own; 30 s by default.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public GroupBuilder timeout(Duration timeout) {
    this.timeout = Arguments.timeout(timeout);
    return this;
  }

  /**
   * Costs by which algorithms are chosen, as {@code gloo-bench/run calibrate} measures it on this
   * group's network; a small machine's loopback by default. All ranks must give the same.
   */
  public GroupBuilder costs(CostModel costs) {
    this.costs = Arguments.present("costs", costs);
    return this;
  }

  /**
   * Directory into which this rank writes its last 1,024 calls when the group fails and when the
   * process gets signal USR1, a file for each group; see {@link ProcessGroup#dumpCalls}. None by
   * default: then nothing is written, and the signal is not handled.
   */
  public GroupBuilder dumpDirectory(Path directory) {
    dumpDirectory = Arguments.present("dump directory", directory);
    return this;
  }

  /**
   * Limit for connecting to the other ranks, and to the store if it is opened here; 5 minutes by
   * default.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public GroupBuilder connectTimeout(Duration timeout) {
    connectTimeout = Arguments.timeout(timeout);
    return this;
  }

  /**
   * Connects to all other ranks.
   *
   * @throws IllegalArgumentException if rank, size, store or device is invalid, before any I/O
   * @throws io.jgloo.transport.JGlooException as {@link Context#connectFullMesh}; nothing is left
   *     open
   */
  public ProcessGroup connect() {
    Membership membership = new Membership(name, epoch, rank, size);
    new Context(membership, connectTimeout).close(); // refuses invalid arguments
    if (store == null && storeUrl == null) {
      throw new IllegalArgumentException("store must be given");
    }
    long startNanos = System.nanoTime();
    List<AutoCloseable> opened = new ArrayList<>();
    boolean connected = false;
    try {
      Store found = store;
      if (found == null) {
        found =
            opened(
                Stores.open(
                    Objects.requireNonNull(storeUrl),
                    rank,
                    size,
                    connectTimeout,
                    storeCredentials()),
                opened);
      }
      Device connecting = device == null ? opened(openDevice(found), opened) : device;
      Context context = new Context(membership, connectTimeout);
      // The context leaves the store before the store closes, and its mesh before the device does.
      opened.add(0, context);
      Mesh mesh = meet(context, found, connecting, startNanos);
      Dialect dialect = pytorch ? new PyTorchDialect(mesh.wire()) : Connection.dialect(mesh.wire());
      Connection connection = new Connection(mesh, connecting, timeout, opened, costs, dialect);
      connected = true;
      if (!mesh.wire().isGloo()) {
        connection.from(new Connection.Origin(found, context.addresses()));
      }
      return new ProcessGroup(connection.dumpTo(dumpDirectory), CallOptions.DEFAULTS);
    } finally {
      if (!connected) {
        Connection.closeAll(opened);
      }
    }
  }

  private Mesh meet(Context context, Store found, Device connecting, long startNanos) {
    if (!pytorch) {
      return context.connectFullMesh(found, connecting, left(startNanos));
    }
    PyTorchRendezvous torch = new PyTorchRendezvous(found, connecting.wire(), pytorchKeys);
    Mesh mesh = context.connectFullMesh(torch.store(), connecting, left(startNanos));
    torch.finish(rank, size, left(startNanos));
    return mesh;
  }

  /**
   * Makes this rank reachable and leaves it to the caller to exchange the addresses of the ranks;
   * no store is needed. Through a store object that is given, survivors of a failure can {@link
   * ProcessGroup#shrink}.
   *
   * @throws IllegalArgumentException if rank, size or device is invalid, before any I/O
   */
  public OpenRank open() {
    Membership membership = new Membership(name, epoch, rank, size);
    Device connecting = device == null ? Devices.open(deviceName, secured(deviceOptions)) : device;
    return new OpenRank(
        membership,
        connecting,
        device == null,
        timeout,
        connectTimeout,
        costs,
        dumpDirectory,
        store);
  }

  /** What is left of the time to connect: one deadline for the store, and for the others in it. */
  private Duration left(long startNanos) {
    Duration left = connectTimeout.minusNanos(System.nanoTime() - startNanos);
    return left.compareTo(SHORTEST) > 0 ? left : SHORTEST;
  }

  private static <T extends AutoCloseable> T opened(T resource, List<AutoCloseable> opened) {
    opened.add(resource);
    return resource;
  }

  private StoreCredentials storeCredentials() {
    StoreCredentials named = StoreCredentials.of(secured(deviceOptions));
    return device == null
        ? named
        : new StoreCredentials(device.secret().or(named::secret), device.tls().or(named::tls));
  }

  private DeviceOptions secured(DeviceOptions options) {
    return secret == null ? options : options.withSecret(secret);
  }

  /** A TCP device listens where packets leave for the store, unless its options say where. */
  private Device openDevice(Store found) {
    DeviceOptions options = secured(deviceOptions);
    if (pytorch) {
      options = options.with(WIRE, options.get(WIRE, Wire.GLOO.toString()));
    }
    if (deviceName.equals(TCP) && found instanceof TcpStore tcp) {
      options = options.with("reach", options.get("reach", tcp.host()));
    }
    return Devices.open(deviceName, options);
  }
}
