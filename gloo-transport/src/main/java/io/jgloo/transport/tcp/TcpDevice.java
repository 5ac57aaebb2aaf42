package io.jgloo.transport.tcp;

import io.jgloo.transport.Address;
import io.jgloo.transport.Clock;
import io.jgloo.transport.ClosedException;
import io.jgloo.transport.Device.FailureScope;
import io.jgloo.transport.Device.Liveness;
import io.jgloo.transport.JobSecret;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.TlsOptions;
import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.Wire;
import io.jgloo.transport.engine.Platform;
import io.jgloo.transport.shm.MemorySettings;
import io.jgloo.transport.tcp.connect.ConnectDevice;
import io.jgloo.transport.tcp.connect.ConnectMesh;
import io.jgloo.transport.tcp.connect.ControlLoop;
import io.jgloo.transport.tcp.connect.Dial;
import io.jgloo.transport.tcp.connect.Endpoint;
import io.jgloo.transport.tcp.connect.OpenFiles;
import io.jgloo.transport.tcp.connect.PairNumbers;
import io.jgloo.transport.tcp.connect.Refusals;
import io.jgloo.transport.tcp.connect.SideCall;
import io.jgloo.transport.tcp.connect.SideChannel;
import io.jgloo.transport.tcp.socket.Acceptor;
import io.jgloo.transport.tcp.socket.HostIdentity;
import io.jgloo.transport.tcp.socket.Interfaces;
import io.jgloo.transport.tcp.socket.Link;
import io.jgloo.transport.tcp.socket.LoopTasks;
import io.jgloo.transport.tcp.socket.Poller;
import io.jgloo.transport.tcp.socket.SocketChoice;
import io.jgloo.transport.tcp.socket.Sockets;
import io.jgloo.transport.tcp.stream.Settings;
import io.jgloo.transport.tcp.wire.FailureNotices;
import io.jgloo.transport.tls.TlsContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * One TCP listener and the meshes reached through it.
 *
 * <p><i>Owns</i>: the listener, one daemon thread for connecting (no message passes through it),
 * and its meshes.
 */
final class TcpDevice implements ConnectDevice {

  /** Connections that may wait to be accepted; the kernel may allow fewer. */
  private static final int BACKLOG = 4096;

  private static final long CLOSE_NANOS = 3_000_000_000L;

  private final String name;
  private final Platform platform;
  private final Sockets sockets;
  private final Settings settings;
  private final String host;
  private final InetAddress bound;
  private final InetSocketAddress advertised;
  private final PairNumbers pairNumbers = new PairNumbers(this::pairNumbersAdded);
  private final FailureNotices failureNotices = new FailureNotices();
  private final String defaultCongestion;
  private final ControlLoop loop;
  private final Thread loopThread;
  private final Map<UUID, TcpMesh> meshes = new ConcurrentHashMap<>();
  private final DeviceLog log;
  private volatile boolean closed;

  TcpDevice(TcpAttributes attributes) {
    this(Endpoint.DEVICE, attributes, Platform.SYSTEM, SocketChoice.of(attributes.sockets()));
  }

  /**
   * @param name what addresses and the provider call this kind of device
   */
  TcpDevice(String name, TcpAttributes attributes, Platform platform, Sockets sockets) {
    if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
      throw new UnavailableException("the wire format is little-endian, this machine is not");
    }
    this.name = name;
    this.platform = platform;
    this.sockets = sockets;
    defaultCongestion = sockets.defaultCongestionControl();
    settings =
        attributes.settings(
            SocketChoice.congestion(sockets, attributes.congestion()),
            platform == Platform.SYSTEM ? attributes.settings().memory() : MemorySettings.NONE);
    host = attributes.host() == null ? sockets.host(wire()) : attributes.host();
    Interfaces.Choice choice =
        Interfaces.choose(attributes.bind(), attributes.interfaceName(), attributes.reach());
    bound = choice.address();
    InetAddress advertisedIp =
        Interfaces.advertised(attributes.advertise(), choice); // may throw: nothing is open yet
    InetSocketAddress wanted = new InetSocketAddress(choice.address(), attributes.port());
    Acceptor acceptor = null;
    Poller poller = null;
    boolean listens = false;
    try {
      acceptor = sockets.listen(wanted, BACKLOG, settings.congestion());
      poller = sockets.newPoller();
      advertised = new InetSocketAddress(advertisedIp, acceptor.localAddress().getPort());
      loop = new ControlLoop(this, poller, acceptor, attributes.helloNanos());
      loopThread = start(loop, "gloo-tcp-" + advertised.getPort());
      listens = true;
    } catch (IOException e) {
      throw new UnavailableException("cannot listen on " + wanted + ": " + e.getMessage(), e);
    } finally {
      if (!listens && acceptor != null) {
        acceptor.close();
      }
      if (!listens && poller != null) {
        poller.close();
      }
    }
    log = new DeviceLog(toString());
    if (platform == Platform.SYSTEM) {
      log.choice(
          choice,
          sockets.name(),
          settings.congestion() == null ? defaultCongestion : settings.congestion());
    }
  }

  /** The loop owns memory, which it frees at the end of its thread. */
  private Thread start(ControlLoop newLoop, String threadName) {
    boolean runs = false;
    try {
      Thread thread = platform.newThread(threadName, newLoop);
      thread.start();
      runs = true;
      return thread;
    } finally {
      if (!runs) {
        newLoop.discard();
      }
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Clock clock() {
    return platform;
  }

  @Override
  public Mesh newMesh(Membership membership) {
    return newMesh(membership, FailureScope.COLLECTIVE);
  }

  @Override
  public Mesh newMesh(Membership membership, FailureScope scope) {
    checkOpen();
    if (scope == FailureScope.PAIRWISE && wire().isGloo()) {
      throw new UnavailableException(
          ("device " + name + " does not support failure scope " + scope + " with wire=")
              + (wire() + ", where a connection does not name its rank; use wire=jgloo"));
    }
    settings.requireOwnRank(membership.rank());
    OpenFiles files = OpenFiles.reserve(membership, scope, settings, sockets);
    TcpMesh mesh = null;
    boolean made = false;
    try {
      mesh = new TcpMesh(this, membership, scope, settings, files, sockets.newPoller());
      mesh.open();
      meshes.put(mesh.incarnation(), mesh);
      checkOpen();
      made = true;
      return mesh;
    } catch (IOException e) {
      throw new UnavailableException(
          "cannot open the sockets of " + membership + ": " + e.getMessage(), e);
    } finally {
      if (!made) {
        files.release();
      }
      if (!made && mesh != null) {
        mesh.close();
      }
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new ClosedException(this + " is closed");
    }
  }

  @Override
  public Wire wire() {
    return settings.wire();
  }

  @Override
  public Optional<JobSecret> secret() {
    return Optional.ofNullable(settings.secret());
  }

  @Override
  public Optional<TlsOptions> tls() {
    return Optional.ofNullable(settings.tls()).map(TlsContext::options);
  }

  @Override
  public Liveness liveness(Address address, Duration timeout) {
    if (wire().isGloo()) {
      return Liveness.UNKNOWN; // there is no way to ask
    }
    Endpoint endpoint = Endpoint.decode(address, name);
    if (endpoint.listener().getAddress().isLoopbackAddress()
        && HostIdentity.areOfDifferentKernels(host, address.host())) {
      return Liveness.UNKNOWN; // this host's loopback is another one
    }
    return meshes.containsKey(endpoint.incarnation())
        ? Liveness.ALIVE
        : SideChannel.probe(this, endpoint, timeout);
  }

  @Override
  public void close() {
    closed = true;
    log.close();
    meshes.values().forEach(TcpMesh::close);
    loop.close();
    boolean interrupted = Thread.interrupted();
    try {
      platform.join(loopThread, CLOSE_NANOS);
    } catch (InterruptedException e) {
      interrupted = true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  // For meshes and the control loop.

  @Override
  public Platform platform() {
    return platform;
  }

  @Override
  public Sockets sockets() {
    return sockets;
  }

  @Override
  public TlsContext encryption() {
    return settings.tls();
  }

  @Override
  public String host() {
    return host;
  }

  @Override
  public void logRoutes(String key, String text) {
    log.routes(key, text);
  }

  @Override
  public String defaultCongestion() {
    return defaultCongestion;
  }

  @Override
  public boolean isOwn(InetAddress address) {
    return sockets.isOwn(address);
  }

  @Override
  public Address addressOf(UUID incarnation) {
    return addressOf(new Endpoint(incarnation, advertised).encode());
  }

  @Override
  public Address addressOf(byte[] payload) {
    String text = advertised.getAddress().getHostAddress() + ":" + advertised.getPort();
    return new Address(name, host, text, payload);
  }

  @Override
  public InetSocketAddress listener() {
    return advertised;
  }

  @Override
  public InetAddress bound() {
    return bound;
  }

  @Override
  public PairNumbers pairNumbers() {
    return pairNumbers;
  }

  private void pairNumbersAdded() {
    loop.execute(loop::retryIncoming);
  }

  @Override
  public void attend(Acceptor acceptor, ConnectMesh mesh, Predicate<Link> handler) {
    loop.execute(() -> loop.attend(acceptor, mesh, handler));
  }

  @Override
  public void dismiss(Acceptor acceptor) {
    loop.execute(() -> loop.dismiss(acceptor), acceptor::close);
  }

  @Override
  public Refusals refusals() {
    return loop.refusals();
  }

  @Override
  public FailureNotices failureNotices() {
    return failureNotices;
  }

  @Override
  public String whyNotAccepted() {
    IOException cause = loop.cannotAccept();
    return cause == null ? "" : "; this rank cannot accept connections: " + cause.getMessage();
  }

  @Override
  public TcpMesh find(UUID incarnation) {
    return meshes.get(incarnation);
  }

  @Override
  public void forget(ConnectMesh mesh) {
    meshes.remove(mesh.incarnation());
  }

  @Override
  public void dial(Dial dial) {
    loop.execute(() -> loop.dial(dial));
  }

  @Override
  public void dialOnDemand(Dial dial) {
    dial(dial);
    loop.execute(() -> loop.watch(dial));
  }

  @Override
  public void closeDelayed(Link link, byte[] left, SideChannel.Notice notice) {
    loop.execute(() -> loop.closeDelayed(link, left, notice), link::close);
  }

  @Override
  public void call(
      InetSocketAddress listener, byte[] request, long deadlineNanos, SideCall.Reply reply) {
    loop.execute(() -> loop.call(listener, request, deadlineNanos, reply));
  }

  @Override
  public void retry(Runnable task) {
    retry(task, LoopTasks.NOTHING);
  }

  @Override
  public void retry(Runnable task, Runnable substitute) {
    loop.execute(() -> loop.later(task, substitute), substitute);
  }

  @Override
  public void later(long pauseNanos, Runnable task) {
    loop.execute(() -> loop.later(pauseNanos, task));
  }

  @Override
  public boolean patrol() {
    boolean busy = false;
    for (TcpMesh mesh : meshes.values()) {
      try {
        busy |= mesh.patrol();
      } catch (Throwable e) { // the thread serves other meshes too
        mesh.broke(e);
      }
    }
    return busy;
  }

  @Override
  public String toString() {
    String address = advertised.getAddress().getHostAddress();
    return name + " device " + address + ":" + advertised.getPort();
  }
}
