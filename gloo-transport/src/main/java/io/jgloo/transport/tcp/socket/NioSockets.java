package io.jgloo.transport.tcp.socket;

import io.jgloo.transport.memory.Memory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * Sockets by java.nio, for systems without epoll and for selector providers that replace TCP.
 *
 * <p>A channel reads and writes only byte buffers, so bytes are copied once more than with {@link
 * EpollSockets}; congestion control cannot be chosen.
 */
public final class NioSockets extends Sockets {

  private static final int STAGING_BYTES = 1 << 17;
  private static final int MIN_STAGING_BYTES = 256;

  @Override
  public String name() {
    return "nio";
  }

  @Override
  public Poller newPoller() throws IOException {
    return new NioPoller();
  }

  @Override
  public Acceptor listen(InetSocketAddress address, int backlog, String congestionControl)
      throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open();
    try {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      channel.bind(address, backlog);
      return new NioAcceptor(channel);
    } catch (IllegalArgumentException e) {
      closeQuietly(channel);
      throw unsupported(address, e);
    } catch (IOException | RuntimeException | Error e) {
      closeQuietly(channel);
      throw e;
    }
  }

  @Override
  public Link dial(InetSocketAddress address, String congestionControl) throws IOException {
    boolean six = address.getAddress() instanceof java.net.Inet6Address;
    SocketChannel channel;
    try {
      channel =
          SocketChannel.open(six ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET);
    } catch (UnsupportedOperationException e) {
      throw unsupported(address, e);
    }
    try {
      NioLink link = new NioLink(channel);
      channel.connect(address);
      return link;
    } catch (IllegalArgumentException e) {
      closeQuietly(channel);
      throw unsupported(address, e);
    } catch (IOException | RuntimeException | Error e) {
      closeQuietly(channel);
      throw e;
    }
  }

  /** java.nio reports by an unchecked exception that this host has no IPv6. */
  private static IOException unsupported(InetSocketAddress address, RuntimeException cause) {
    return new IOException("addresses such as " + address + " are not supported here", cause);
  }

  @Override
  public String defaultCongestionControl() {
    return null;
  }

  /** What a selector reports on. */
  private interface Selectable {
    SelectionKey register(Selector selector) throws IOException;
  }

  private static final class NioAcceptor extends Acceptor implements Selectable {
    private final ServerSocketChannel channel;

    NioAcceptor(ServerSocketChannel channel) {
      this.channel = channel;
    }

    @Override
    public SelectionKey register(Selector selector) throws IOException {
      return channel.register(selector, SelectionKey.OP_ACCEPT, this);
    }

    @Override
    public Link accept() throws IOException {
      SocketChannel accepted = channel.accept();
      if (accepted == null) {
        return null;
      }
      try {
        return new NioLink(accepted);
      } catch (IOException | RuntimeException | Error e) {
        closeQuietly(accepted);
        throw e;
      }
    }

    @Override
    public InetSocketAddress localAddress() {
      return (InetSocketAddress) channel.socket().getLocalSocketAddress();
    }

    @Override
    public void close() {
      closeQuietly(channel);
    }
  }

  private static final class NioLink extends Link implements Selectable {
    private final SocketChannel channel;
    private ByteBuffer staging = ByteBuffer.allocate(0);
    private long stagingAddress;
    private volatile SelectionKey key;

    NioLink(SocketChannel channel) throws IOException {
      this.channel = channel;
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    @Override
    public SelectionKey register(Selector selector) throws IOException {
      int interest =
          channel.isConnected()
              ? SelectionKey.OP_READ | SelectionKey.OP_WRITE
              : SelectionKey.OP_CONNECT;
      key = channel.register(selector, interest, this);
      return key;
    }

    /**
     * The staging memory, with room for this many bytes; as small as its use so far, because a
     * connection without a hello needs only a few bytes.
     */
    private ByteBuffer staging(int bytes) {
      if (staging.capacity() < bytes) {
        staging = ByteBuffer.allocateDirect(Math.max(MIN_STAGING_BYTES, ceilingPowerOfTwo(bytes)));
        stagingAddress = Memory.addressOf(staging);
      }
      return staging.clear().limit(bytes);
    }

    private static int ceilingPowerOfTwo(int bytes) {
      return 1 << (Integer.SIZE - Integer.numberOfLeadingZeros(bytes - 1));
    }

    @Override
    public int read(long address, int length) throws IOException {
      int total = 0;
      while (total < length) {
        int wanted = Math.min(length - total, STAGING_BYTES);
        int n = channel.read(staging(wanted));
        if (n <= 0) {
          return total > 0 ? total : n;
        }
        Memory.copy(stagingAddress, address + total, n);
        total += n;
        if (n < wanted) {
          break;
        }
      }
      return total;
    }

    @Override
    public int write(long address, int length) throws IOException {
      int total = 0;
      while (total < length) {
        int wanted = Math.min(length - total, STAGING_BYTES);
        ByteBuffer chunk = staging(wanted);
        Memory.copy(address + total, stagingAddress, wanted);
        int n = channel.write(chunk);
        total += n;
        if (n < wanted) {
          askForRoom();
          break;
        }
      }
      return total;
    }

    @Override
    public long write(long first, int firstLength, long second, int secondLength)
        throws IOException {
      int head = Math.min(firstLength, STAGING_BYTES);
      int body = head < firstLength ? 0 : Math.min(secondLength, STAGING_BYTES - head);
      ByteBuffer chunk = staging(head + body);
      Memory.copy(first, stagingAddress, head);
      Memory.copy(second, stagingAddress + head, body);
      int n = channel.write(chunk);
      if (n < head + body) {
        askForRoom();
        return n;
      }
      long left = (long) firstLength + secondLength - n;
      return left == 0 || head < firstLength ? n : n + write(second + body, secondLength - body);
    }

    /** Called after bytes went out, so it must not throw: the caller would send them again. */
    private void askForRoom() {
      SelectionKey current = key;
      if (current == null) {
        return;
      }
      try {
        current.interestOpsOr(SelectionKey.OP_WRITE);
        current.selector().wakeup();
      } catch (CancelledKeyException e) {
        // Between two selectors: the next one watches for room from its registration on.
      }
    }

    @Override
    protected void roomFound() {
      SelectionKey current = key;
      if (current != null && current.isValid()) {
        current.interestOpsAnd(~SelectionKey.OP_WRITE);
      }
    }

    @Override
    public boolean finishConnect() throws IOException {
      return channel.finishConnect();
    }

    @Override
    public void lookAgain() {
      readable = true; // a selector tells of what is left unread as long as it is
    }

    @Override
    public void shutdown() throws IOException {
      channel.shutdownInput();
      channel.shutdownOutput();
    }

    @Override
    public void shutdownOutput() throws IOException {
      channel.shutdownOutput();
    }

    @Override
    public void keepAlive(KeepAlive settings) {
      InetSocketAddress local = (InetSocketAddress) channel.socket().getLocalSocketAddress();
      if (!settings.probes(local, remoteAddress())) {
        return;
      }
      set("TCP_KEEPIDLE", settings.idleSeconds());
      set("TCP_KEEPINTERVAL", settings.intervalSeconds());
      set("TCP_KEEPCOUNT", KeepAlive.PROBES);
      set("SO_KEEPALIVE", true);
    }

    /** Sets an option that the platform may lack; those of module jdk.net are found by name. */
    @SuppressWarnings("unchecked") // the value has the type of the option of this name
    private <T> void set(String name, T value) {
      for (SocketOption<?> option : channel.supportedOptions()) {
        if (option.name().equals(name)) {
          try {
            channel.setOption((SocketOption<T>) option, value);
          } catch (IOException e) {
            // The connection is broken, which the next read reports.
          }
        }
      }
    }

    @Override
    public void congestionControl(String name) {
      // java.nio has no such option; the system's default stays.
    }

    @Override
    public InetSocketAddress remoteAddress() {
      return (InetSocketAddress) channel.socket().getRemoteSocketAddress();
    }

    @Override
    public void close() {
      closeQuietly(channel);
    }
  }

  private static void closeQuietly(java.nio.channels.Channel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // The descriptor is gone whatever close reports.
    }
  }

  private static final class NioPoller extends Poller {
    private final Selector selector = Selector.open();

    NioPoller() throws IOException {}

    @Override
    public void add(Pollable pollable) throws IOException {
      ((Selectable) pollable).register(selector);
    }

    @Override
    protected void detach(Pollable pollable) {
      for (SelectionKey key : selector.keys()) {
        if (key.attachment() == pollable) {
          key.cancel();
        }
      }
      poll(0); // a cancelled key leaves its selector only in a select
    }

    @Override
    public void poll(long timeoutNanos) {
      try {
        if (timeoutNanos <= 0) {
          selector.selectNow(this::handle);
        } else {
          selector.select(this::handle, Math.max(1, timeoutNanos / 1_000_000));
        }
      } catch (IOException e) {
        throw new java.io.UncheckedIOException("select failed", e);
      }
    }

    private void handle(SelectionKey key) {
      Pollable pollable = (Pollable) key.attachment();
      int ops = key.readyOps();
      if ((ops & SelectionKey.OP_CONNECT) != 0) {
        key.interestOps(SelectionKey.OP_READ);
        pollable.news(true, true);
      }
      boolean read = (ops & (SelectionKey.OP_READ | SelectionKey.OP_ACCEPT)) != 0;
      pollable.news(read, (ops & SelectionKey.OP_WRITE) != 0);
      report(pollable);
    }

    @Override
    public void wakeup() {
      selector.wakeup();
    }

    @Override
    public void close() {
      try {
        selector.close();
      } catch (IOException e) {
        // Nothing was written through a selector; there is nothing to lose.
      }
    }
  }
}
