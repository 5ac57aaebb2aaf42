package io.jgloo.transport.tcp.socket;

import io.jgloo.transport.library.JniCalls;
import io.jgloo.transport.memory.Memory;
import io.netty.channel.ChannelException;
import io.netty.channel.IoEvent;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoEvent;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.epoll.LinuxSocket;
import io.netty.channel.unix.Errors;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.Socket;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.NotYetConnectedException;
import java.nio.charset.StandardCharsets;
import java.util.IdentityHashMap;

/**
 * Linux sockets and epoll by Netty's native layer, below its channels: the waiting thread makes the
 * system calls itself.
 *
 * <p>In one file because Netty's low-level classes, which are not its API, are known nowhere else.
 * A channel on Netty's own event loop was measured at 53 us for what this does in 3.5 us: the
 * hand-over between threads, not the pipeline, is what costs.
 */
public final class EpollSockets extends Sockets {

  private static final int IPPROTO_TCP = 6;
  private static final int TCP_CONGESTION = 13;
  private static final int CONGESTION_NAME_BYTES = 16;
  private static final int TCP_KEEPIDLE = 4;
  private static final int TCP_KEEPINTVL = 5;
  private static final int TCP_KEEPCNT = 6;

  /** What is asked of epoll; in a class of its own, because it cannot be loaded without epoll. */
  private static final class Interest {
    static final EpollIoOps READ =
        EpollIoOps.EPOLLIN.with(EpollIoOps.EPOLLRDHUP).with(EpollIoOps.EPOLLET);
    static final EpollIoOps READ_AND_ROOM = READ.with(EpollIoOps.EPOLLOUT);

    private Interest() {}
  }

  /** Why epoll cannot be used, or null if it can. */
  public static Throwable unavailability() {
    return Epoll.isAvailable() ? null : Epoll.unavailabilityCause();
  }

  @Override
  public String name() {
    return "epoll";
  }

  @Override
  public Poller newPoller() throws IOException {
    try {
      return new EpollPoller();
    } catch (RuntimeException e) {
      throw checked(e);
    }
  }

  /**
   * Netty reports an error of a system call also by unchecked exceptions, such as EMFILE of
   * socket(2) by a {@link ChannelException}; they are turned into an {@link IOException} for the
   * caller.
   */
  private static IOException checked(RuntimeException e) {
    return e.getCause() instanceof IOException cause ? cause : new IOException(e.getMessage(), e);
  }

  @Override
  public Acceptor listen(InetSocketAddress address, int backlog, String congestionControl)
      throws IOException {
    LinuxSocket socket = newSocket(address.getAddress() instanceof Inet6Address);
    try {
      socket.setReuseAddress(true);
      setCongestionControl(socket, congestionControl);
      socket.bind(address);
      socket.listen(backlog);
      return new EpollAcceptor(socket);
    } catch (IOException | RuntimeException | Error e) {
      closeQuietly(socket);
      throw e;
    }
  }

  @Override
  public Link dial(InetSocketAddress address, String congestionControl) throws IOException {
    LinuxSocket socket = newSocket(address.getAddress() instanceof Inet6Address);
    try {
      socket.setTcpNoDelay(true);
      setCongestionControl(socket, congestionControl);
      socket.connect(address);
      return new EpollLink(socket, false);
    } catch (IOException | RuntimeException | Error e) {
      closeQuietly(socket);
      throw e;
    }
  }

  @Override
  public String defaultCongestionControl() {
    try {
      LinuxSocket socket = newSocket(false);
      try {
        ByteBuffer name = ByteBuffer.allocateDirect(CONGESTION_NAME_BYTES);
        socket.getRawOpt(IPPROTO_TCP, TCP_CONGESTION, name);
        return StandardCharsets.US_ASCII.decode(name.flip()).toString().trim(); // of zeros
      } finally {
        socket.close();
      }
    } catch (IOException e) {
      return null;
    }
  }

  private static LinuxSocket newSocket(boolean six) throws IOException {
    try {
      return LinuxSocket.newSocketStream(six);
    } catch (ChannelException e) {
      throw checked(e);
    }
  }

  private static boolean setCongestionControl(Socket socket, String name) {
    if (name == null) {
      return true;
    }
    byte[] text = name.getBytes(StandardCharsets.US_ASCII);
    ByteBuffer option = ByteBuffer.allocateDirect(text.length);
    option.put(text).flip();
    try {
      socket.setRawOpt(IPPROTO_TCP, TCP_CONGESTION, option);
      return true;
    } catch (IOException | ChannelException e) {
      return false; // not permitted to this user or not built into this kernel
    }
  }

  /** Whether sockets of this process may use a congestion control. */
  public static boolean congestionControlAllowed(String name) throws IOException {
    LinuxSocket socket = newSocket(false);
    try {
      return setCongestionControl(socket, name);
    } finally {
      closeQuietly(socket);
    }
  }

  private static final class EpollAcceptor extends Acceptor {
    private final Socket socket;
    private final byte[] peer = new byte[32];

    EpollAcceptor(Socket socket) {
      this.socket = socket;
    }

    @Override
    public Link accept() throws IOException {
      int descriptor = socket.accept(peer);
      if (descriptor < 0) {
        return null;
      }
      Socket accepted = new Socket(descriptor);
      try {
        accepted.setTcpNoDelay(true);
        return new EpollLink(accepted, true);
      } catch (IOException | RuntimeException | Error e) {
        closeQuietly(accepted);
        throw e;
      }
    }

    @Override
    public InetSocketAddress localAddress() {
      return socket.localAddress();
    }

    @Override
    public void close() {
      closeQuietly(socket);
    }
  }

  private static final class EpollLink extends Link {
    private final Socket socket;
    private final long vectors = Memory.allocate(2 * 2 * Long.BYTES, Memory.CACHE_LINE);
    private IoRegistration registration;
    private boolean watchesRoom;
    private boolean closed;

    EpollLink(Socket socket, boolean connected) {
      this.socket = socket;
      writable = connected;
      watchesRoom = !connected; // a connect ends when there is room
    }

    EpollIoOps interest() {
      return watchesRoom ? Interest.READ_AND_ROOM : Interest.READ;
    }

    @Override
    protected void roomFound() {
      try {
        registration.submit(Interest.READ);
        watchesRoom = false;
      } catch (UncheckedIOException e) {
        // It still watches for room, which costs a wake-up now and then.
      }
    }

    /**
     * After a short write room must be reported. Otherwise epoll would report it at every read. A
     * registration with the poller the link comes from ignores it, and the next one begins with it.
     */
    private long wrote(long count, long wanted) throws IOException {
      if (count < wanted && !watchesRoom) {
        watchesRoom = true;
        try {
          registration.submit(Interest.READ_AND_ROOM);
        } catch (UncheckedIOException e) {
          throw e.getCause(); // it ends the pair; any other exception would send the bytes again
        }
      }
      return count;
    }

    @Override
    public int read(long address, int length) throws IOException {
      return socket.recvAddress(address, 0, length);
    }

    @Override
    public int write(long address, int length) throws IOException {
      return (int) wrote(socket.sendAddress(address, 0, length), length);
    }

    @Override
    public long write(long first, int firstLength, long second, int secondLength)
        throws IOException {
      // struct iovec { void *base; size_t length; }, twice
      Memory.putLong(vectors, first);
      Memory.putLong(vectors + 8, firstLength);
      Memory.putLong(vectors + 16, second);
      Memory.putLong(vectors + 24, secondLength);
      return wrote(socket.writevAddresses(vectors, 2), (long) firstLength + secondLength);
    }

    @Override
    public boolean isCopiedByKernel() {
      return true;
    }

    @Override
    public boolean writesArrays() {
      return JniCalls.isAvailable();
    }

    @Override
    public int write(long first, int firstLength, Object array, long offset, int length)
        throws IOException {
      int count = JniCalls.sendArray(socket.intValue(), first, firstLength, array, offset, length);
      count = count < 0 ? Errors.ioResult("sendmsg", count) : count;
      return (int) wrote(count, (long) firstLength + length);
    }

    @Override
    public boolean finishConnect() throws IOException {
      try {
        return socket.finishConnect();
      } catch (ConnectException e) {
        String refused = "(" + Errors.ERROR_ECONNREFUSED_NEGATIVE + ")";
        if (String.valueOf(e.getMessage()).contains(refused)) {
          throw e;
        }
        throw new IOException(e.getMessage(), e); // such as reset: something listens there
      }
    }

    @Override
    public void lookAgain() {
      readable = true;
      if (registration != null) {
        registration.submit(interest()); // arms the edge again
      }
    }

    @Override
    public void shutdown() throws IOException {
      shutdown(true);
    }

    @Override
    public void shutdownOutput() throws IOException {
      shutdown(false);
    }

    private void shutdown(boolean input) throws IOException {
      try {
        socket.shutdown(input, true);
      } catch (NotYetConnectedException e) {
        // The other side has reset it.
      }
    }

    @Override
    public void congestionControl(String name) {
      setCongestionControl(socket, name);
    }

    @Override
    public void keepAlive(KeepAlive settings) {
      try {
        if (settings.probes(socket.localAddress(), socket.remoteAddress())) {
          socket.setIntOpt(IPPROTO_TCP, TCP_KEEPIDLE, settings.idleSeconds());
          socket.setIntOpt(IPPROTO_TCP, TCP_KEEPINTVL, settings.intervalSeconds());
          socket.setIntOpt(IPPROTO_TCP, TCP_KEEPCNT, KeepAlive.PROBES);
          socket.setKeepAlive(true);
        }
      } catch (IOException | RuntimeException e) {
        // The connection is broken, which the next read reports.
      }
    }

    @Override
    public InetSocketAddress remoteAddress() {
      return socket.remoteAddress();
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        closeQuietly(socket);
        Memory.free(vectors);
      }
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // The descriptor is gone whatever close reports.
    }
  }

  private static final class EpollPoller extends Poller
      implements IoHandlerContext, ThreadAwareExecutor {

    private static final int READ_MASK =
        EpollIoOps.EPOLLIN.value() | EpollIoOps.EPOLLERR.value() | EpollIoOps.EPOLLRDHUP.value();
    private static final int WRITE_MASK = EpollIoOps.EPOLLOUT.value();
    private static final int EPOLLHUP = 0x10;
    private static final int END_MASK =
        EpollIoOps.EPOLLERR.value() | EpollIoOps.EPOLLRDHUP.value() | EPOLLHUP;

    private final IoHandler handler = EpollIoHandler.newFactory().newHandler(this);
    private final IdentityHashMap<Pollable, IoRegistration> registrations = new IdentityHashMap<>();
    private volatile Thread poller;
    private volatile boolean awake;
    private boolean blocking;
    private long deadlineNanos;

    @Override
    public void add(Pollable pollable) throws IOException {
      poller = Thread.currentThread();
      try {
        IoRegistration registration = handler.register(new Handle(this, pollable));
        registrations.put(pollable, registration);
        if (pollable instanceof EpollLink link) {
          link.registration = registration;
          registration.submit(link.interest());
        } else {
          registration.submit(Interest.READ);
        }
      } catch (IOException e) {
        throw e;
      } catch (RuntimeException e) {
        remove(pollable);
        throw checked(e);
      } catch (Exception e) {
        throw new IOException("cannot register a socket with epoll", e);
      } finally {
        poller = null;
      }
    }

    @Override
    protected void detach(Pollable pollable) {
      IoRegistration registration = registrations.remove(pollable);
      if (registration != null) {
        poller = Thread.currentThread();
        try {
          registration.cancel();
        } finally {
          poller = null;
        }
      }
    }

    @Override
    public void poll(long timeoutNanos) {
      poller = Thread.currentThread();
      blocking = timeoutNanos > 0;
      if (blocking) {
        deadlineNanos = System.nanoTime() + timeoutNanos;
      }
      handler.run(this);
      if (blocking) {
        awake = false;
      }
      poller = null;
    }

    @Override
    public void wakeup() {
      // Order matters: a poll that has not blocked yet sees the flag in canBlock, one that has is
      // woken by the handler's event descriptor.
      awake = true;
      handler.wakeup();
    }

    @Override
    public void close() {
      poller = Thread.currentThread();
      handler.prepareToDestroy();
      handler.destroy();
      poller = null;
    }

    @Override
    public boolean canBlock() {
      return blocking && !awake;
    }

    @Override
    public long delayNanos(long now) {
      return Math.max(0, deadlineNanos - now);
    }

    @Override
    public long deadlineNanos() {
      return deadlineNanos;
    }

    @Override
    public boolean isExecutorThread(Thread thread) {
      return thread == poller;
    }

    @Override
    public void execute(Runnable command) {
      throw new IllegalStateException("used by a thread that does not hold the progress lock");
    }

    private void handle(Pollable pollable, int events) {
      if ((events & END_MASK) != 0) {
        pollable.newsOfTheEnd();
      }
      pollable.news(
          (events & (READ_MASK | EPOLLHUP)) != 0, (events & (WRITE_MASK | EPOLLHUP)) != 0);
      report(pollable);
    }
  }

  private record Handle(EpollPoller poller, Pollable pollable) implements EpollIoHandle {
    @Override
    public FileDescriptor fd() {
      return pollable instanceof EpollLink link ? link.socket : ((EpollAcceptor) pollable).socket;
    }

    @Override
    public void handle(IoRegistration registration, IoEvent event) {
      poller.handle(pollable, ((EpollIoEvent) event).ops().value());
    }

    @Override
    public void close() {
      // The caller that made the socket closes it.
    }
  }
}
