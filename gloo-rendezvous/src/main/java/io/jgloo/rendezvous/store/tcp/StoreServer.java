package io.jgloo.rendezvous.store.tcp;

import io.jgloo.rendezvous.address.HostPort;
import io.jgloo.rendezvous.store.StoreException;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rendezvous.store.table.StoreTable;
import io.jgloo.rendezvous.time.Deadline;
import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.library.NettyVersion;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.RecvByteBufAllocator.ExtendedHandle;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The server behind {@link TcpStoreClient}: one thread that serves thousands of clients in
 * PyTorch's store protocol.
 *
 * <p>Without a job secret and TLS clients are not authenticated: every host that reaches the port
 * can read and write, so the server listens on the given address only. With TLS a {@link StoreTls},
 * with a secret a {@link StoreGate} is before each session. A client that violates the protocol is
 * disconnected at the first wrong byte, one that exceeds {@link TcpStoreLimits} as soon as it does;
 * other clients are not affected. Differences from PyTorch's server do not affect its clients: a
 * handshake may arrive in pieces, and waiters wake exactly when their keys exist.
 *
 * <p>In one file because the life of the server and that of its clients change the same counts, on
 * the one thread.
 *
 * <p>Threads: any may call. One daemon thread, {@code gloo-store-PORT}, on epoll where there is
 * epoll.
 *
 * <p>Owns: the listening socket, the connections, the thread, and all keys, which are lost when it
 * is closed.
 */
public final class StoreServer implements AutoCloseable {
  private static final Logger LOG = System.getLogger(StoreServer.class.getName());
  private static final int BACKLOG = 65_535; // the system lowers it to its limit
  private static final long SWEEP_MILLIS = 250;
  private static final int LOOKS_UNREAD = 8; // 2 s

  /** Of requests being received: those that are small, and what is reserved for them. */
  private static final int SMALL_BYTES = 64 << 10;

  private static final long RESERVED_BYTES = 1 << 20;
  private static final long WARNING_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final StoreGuard NO_GUARD = new StoreGuard(null, null);
  private static final int ANSWERS_LOW_BYTES = 256 << 10;
  private static final int ANSWERS_HIGH_BYTES = 1 << 20;

  private final TcpStoreLimits limits;
  private final StoreGuard guard;
  private final StoreTable table;
  private final ReplyBudget replies;
  private final ReceiveBuffer receiving = new ReceiveBuffer();
  private final EventLoopGroup loop;
  private final Channel listener;
  private final List<Channel> further = new ArrayList<>(); // listeners at other addresses
  private final Future<?> sweeping;
  private volatile Thread thread;
  private volatile int clients;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final AtomicLong rejected = new AtomicLong();
  private final AtomicLong unauthenticated = new AtomicLong();
  private final AtomicLong requests = new AtomicLong();

  // Used on the loop only.
  private long warnedNanos;
  private final Set<StoreSession> sessions = new LinkedHashSet<>();
  private final Set<StoreSession> handshaking = new LinkedHashSet<>();
  private final Set<StoreSession> watched = new HashSet<>(); // those that are not idle
  private List<StoreSession> toFlush = new ArrayList<>();
  private long receivingBytes;

  /**
   * Starts a server.
   *
   * @param bind where to listen; port 0 lets the system choose one
   * @throws StoreUnavailableException if it cannot listen there, or Netty is older than 4.2
   */
  public static StoreServer start(InetSocketAddress bind, TcpStoreLimits limits) {
    return start(List.of(bind), limits, NO_GUARD);
  }

  /**
   * Starts a server at one or several addresses.
   *
   * @param bind with the same port, at the first of which it must be able to listen
   */
  static StoreServer start(List<InetSocketAddress> bind, TcpStoreLimits limits, StoreGuard guard) {
    return new StoreServer(bind, limits, guard, Epoll.isAvailable());
  }

  /** As {@link #start}, on java.nio even where there is epoll. */
  static StoreServer startOnNio(InetSocketAddress bind, TcpStoreLimits limits) {
    return new StoreServer(List.of(bind), limits, NO_GUARD, false);
  }

  private StoreServer(
      List<InetSocketAddress> addresses, TcpStoreLimits limits, StoreGuard guard, boolean epoll) {
    InetSocketAddress bind = addresses.get(0);
    requireNetty(bind);
    this.guard = guard;
    this.limits = limits;
    table = new StoreTable(limits.storedBytes());
    IoHandlerFactory io = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    loop = new StoreLoop(this::newThread, io);
    replies = new ReplyBudget(limits.receivingBytes(), loop);
    ServerBootstrap bootstrap =
        bootstrap(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class);
    ChannelFuture bound = bootstrap.bind(bind).awaitUninterruptibly();
    listener = bound.channel();
    if (!bound.isSuccess()) {
      loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
      receiving.release();
      boolean taken = String.valueOf(bound.cause().getMessage()).contains("in use");
      throw new StoreUnavailableException(
          ("cannot serve a store on " + HostPort.text(bind) + ": " + bound.cause().getMessage())
              + (taken
                  ? "; if this process serves a store there already, share its handle, or add"
                      + " ?serve=no to the URL to be a client of it; else choose another port"
                  : ""),
          bound.cause());
    }
    int port = address().getPort();
    addresses.stream().skip(1).forEach(each -> listenToo(bootstrap, each.getAddress(), port));
    loop.execute(() -> Thread.currentThread().setName("gloo-store-" + port));
    sweeping =
        loop.scheduleWithFixedDelay(this::sweep, SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Listens on a further address; clients that know several find one of the others. */
  private void listenToo(ServerBootstrap bootstrap, InetAddress address, int port) {
    ChannelFuture bound = bootstrap.bind(address, port).awaitUninterruptibly();
    if (bound.isSuccess()) {
      further.add(bound.channel());
    } else {
      String text = "{0} does not listen on {1}, too: {2}";
      LOG.log(Level.WARNING, text, this, address.getHostAddress(), bound.cause().getMessage());
    }
  }

  private static void requireNetty(InetSocketAddress bind) {
    NettyVersion.problem()
        .ifPresent(
            problem -> {
              throw new StoreUnavailableException(
                  "cannot serve a store on " + HostPort.text(bind) + ": " + problem, null);
            });
  }

  /** The first address it listens on, with the port as chosen. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listener.localAddress();
  }

  public int port() {
    return address().getPort();
  }

  /** The number of connections. */
  int clients() {
    return clients;
  }

  /** The number of those that are held to limits of time now. */
  int watched() {
    return loop.submit(watched::size).syncUninterruptibly().getNow();
  }

  /** The number of connections it has closed because they exceeded its limits or the protocol. */
  public long rejected() {
    return rejected.get();
  }

  /** The number of those that did not prove to be of the job. */
  long unauthenticatedClients() {
    return unauthenticated.get();
  }

  /** The number of requests it has carried out, handshakes included. */
  long requests() {
    return requests.get();
  }

  /** Closes the socket and all connections and ends the thread; all keys are lost. Idempotent. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      listener.close().awaitUninterruptibly();
      further.forEach(each -> each.close().awaitUninterruptibly());
      loop.execute(() -> List.copyOf(sessions).forEach(StoreSession::close));
      sweeping.cancel(false);
      loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
      receiving.release();
    }
    loop.terminationFuture().awaitUninterruptibly();
    awaitEnd(thread); // the thread ends shortly after the loop's future
  }

  @Override
  public String toString() {
    return "TcpStoreServer[" + HostPort.text(address()) + "]";
  }

  private Thread newThread(Runnable body) {
    thread = new Thread(body, "gloo-store");
    thread.setDaemon(true);
    return thread;
  }

  private static void awaitEnd(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private ServerBootstrap bootstrap(Class<? extends ServerChannel> channel) {
    return new ServerBootstrap()
        .group(loop)
        .channel(channel)
        .option(ChannelOption.SO_BACKLOG, BACKLOG)
        .option(ChannelOption.SO_REUSEADDR, true)
        .childOption(ChannelOption.RECVBUF_ALLOCATOR, receiving)
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childOption(ChannelOption.SO_KEEPALIVE, true)
        .childOption(
            ChannelOption.WRITE_BUFFER_WATER_MARK,
            new WriteBufferWaterMark(ANSWERS_LOW_BYTES, ANSWERS_HIGH_BYTES))
        .childHandler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel client) {
                prepare(client, new StoreSession(StoreServer.this, table, limits.requestBytes()));
              }
            });
  }

  private void prepare(Channel client, StoreSession session) {
    try {
      if (guard.tls() != null) {
        StoreTls.addTo(client, guard.tls(), session);
      }
    } catch (UnavailableException e) {
      unauthenticated(client, e.getMessage());
      client.close().addListener(this::logFailure);
      return;
    }
    if (guard.proof() != null) {
      client.pipeline().addLast(new StoreGate(guard.proof(), session));
    }
    client.pipeline().addLast(session);
  }

  // On the loop:

  ReplyBudget replies() {
    return replies;
  }

  void opened(StoreSession session) {
    sessions.add(session);
    clients = sessions.size();
    handshaking.add(session);
    watched.add(session);
    if (sessions.size() > limits.clients()) {
      session.reject("more than " + limits.clients() + " clients");
    } else if (handshaking.size() > limits.handshakes()) {
      StoreSession oldest = handshaking.iterator().next();
      handshaking.remove(oldest);
      oldest.reject("more than " + limits.handshakes() + " handshakes");
    }
  }

  void validated(StoreSession session) {
    handshaking.remove(session);
  }

  void closed(StoreSession session) {
    sessions.remove(session);
    clients = sessions.size();
    handshaking.remove(session);
    watched.remove(session);
  }

  /** Holds a connection to its limits of time until it is idle. */
  void watch(StoreSession session) {
    if (!session.isIdle()) {
      watched.add(session);
    }
  }

  /**
   * Counts memory that requests occupy before they are carried out. Some is for small ones alone:
   * else the one that finds no room is any that comes while a large one fills the rest.
   *
   * @param more how many bytes more, or fewer if negative
   * @param held how many the connection holds with them
   */
  void charge(long more, long held) {
    receivingBytes += more;
    long all = limits.receivingBytes();
    long most = held <= SMALL_BYTES ? all : all - Math.min(all / 4, RESERVED_BYTES);
    if (more > 0 && receivingBytes > most) {
      throw new StoreException(
          String.format(
              "requests being received have %d bytes, more than %d", receivingBytes, most));
    }
  }

  /** Sends a reply after the request that caused it has been executed. */
  void flushLater(StoreSession session) {
    if (toFlush.isEmpty()) {
      loop.execute(this::flushAll);
    }
    toFlush.add(session);
  }

  /** Counts a request; one thread writes, so that no atomic addition is needed. */
  void executing() {
    requests.lazySet(requests.getPlain() + 1);
  }

  void rejected(Channel client, String reason) {
    rejected.incrementAndGet();
    LOG.log(Level.DEBUG, () -> this + " closes " + client.remoteAddress() + ": " + reason);
  }

  /** Counts a client that is not of the job; a log line tells of it, at most one a second. */
  void unauthenticated(Channel client, String reason) {
    long count = unauthenticated.incrementAndGet();
    rejected(client, reason);
    long now = System.nanoTime();
    if (count == 1 || now - warnedNanos > WARNING_NANOS) {
      warnedNanos = now;
      LOG.log(
          Level.WARNING,
          "{0} refused {1}: {2}; {3} so far",
          this,
          client.remoteAddress(),
          reason,
          Long.toString(count));
    }
  }

  /** Closes a connection whose service failed; the others are not affected. */
  void failed(StoreSession session, Throwable cause) {
    try {
      session.reject(cause.toString());
    } catch (Throwable e) {
      LOG.log(Level.WARNING, this + " cannot close a connection that failed", e);
    }
  }

  void logFailure(io.netty.util.concurrent.Future<?> done) {
    if (!done.isSuccess()) {
      LOG.log(Level.DEBUG, this + ": closing a connection failed", done.cause());
    }
  }

  private void flushAll() {
    List<StoreSession> now = toFlush;
    toFlush = new ArrayList<>();
    for (StoreSession session : now) {
      try {
        session.flushWake();
      } catch (Throwable e) {
        failed(session, e);
      }
    }
  }

  private void sweep() {
    long now = System.nanoTime();
    for (StoreSession session : List.copyOf(watched)) {
      try {
        sweep(session, now);
        if (session.isIdle()) {
          watched.remove(session);
        }
      } catch (Throwable e) {
        failed(session, e);
      }
    }
  }

  private void sweep(StoreSession session, long now) {
    ReplyBudget.Account account = session.account();
    int looksUnread = account.look();
    if (session.isUnderWay()) {
      long silentNanos = now - session.progressNanos();
      if (!session.isValidated() && silentNanos > Deadline.nanos(limits.handshakeTimeout())) {
        session.reject("no handshake in " + limits.handshakeTimeout());
        return;
      }
      if (silentNanos > stallNanos()) {
        session.reject("no progress in " + limits.stallTimeout());
        return;
      }
    }
    if (replies.hasWaiting() && (looksUnread > LOOKS_UNREAD || account.nanos(now) > stallNanos())) {
      session.reject("does not read its replies while other clients wait for room for theirs");
    }
  }

  private long stallNanos() {
    return Deadline.nanos(limits.stallTimeout());
  }

  /**
   * The one buffer into which a server receives from all its clients, one at a time: what is left
   * of it when a request has been read is copied.
   *
   * <p>Threads: the server's loop. Owns: the memory, until it is released.
   */
  private static final class ReceiveBuffer extends DefaultMaxMessagesRecvByteBufAllocator {
    private static final int BYTES = 64 << 10;

    private final ByteBuf shared = Unpooled.directBuffer(BYTES, BYTES);

    @Override
    public ExtendedHandle newHandle() {
      return new MaxMessageHandle() {
        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
          return shared.retain().clear();
        }

        @Override
        public int guess() {
          return BYTES;
        }
      };
    }

    void release() {
      shared.release();
    }
  }
}
