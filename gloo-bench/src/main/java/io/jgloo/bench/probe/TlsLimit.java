package io.jgloo.bench.probe;

import io.jgloo.bench.Stopwatch;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/**
 * The limit of TLS: both ends of a connection send and receive a message at once, by bare engines,
 * and do nothing else. What an allreduce of two ranks with TLS cannot be faster than.
 */
public final class TlsLimit {

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final long WARM_NANOS = 1_000_000_000;
  private static final long TARGET_NANOS = 300_000_000;
  private static final int LEAST_CALLS = 20;
  private static final int MOST_CALLS = 20_000;
  private static final int RECORDS = 8; // that are read or written at a time
  private static final int OWN_ARGUMENTS = 4;

  private final Stopwatch stopwatch = new Stopwatch(PATIENCE);
  private final ExecutorService other = Executors.newSingleThreadExecutor();
  private final End one;
  private final End two;

  private TlsLimit(End one, End two) {
    this.one = one;
    this.two = two;
  }

  /**
   * Measures: {@code CERTIFICATE KEY AUTHORITY CALLS SIZES...}; as many calls as take a while if
   * CALLS is 0. Prints what the peers' drivers print.
   */
  public static void main(String[] words) throws Exception {
    SslProvider provider = OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK;
    SslContext dialling =
        build(
            SslContextBuilder.forClient()
                .keyManager(new File(words[0]), new File(words[1]))
                .endpointIdentificationAlgorithm(null),
            provider,
            words[2]);
    SslContext listening =
        build(
            SslContextBuilder.forServer(new File(words[0]), new File(words[1])),
            provider,
            words[2]);
    try (ServerSocketChannel listener = ServerSocketChannel.open()) {
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      SocketChannel dialled = SocketChannel.open(listener.getLocalAddress());
      End one = new End(dialled, dialling.newEngine(ByteBufAllocator.DEFAULT));
      End two = new End(listener.accept(), listening.newEngine(ByteBufAllocator.DEFAULT));
      TlsLimit limit = new TlsLimit(one, two);
      limit.both(End::handshake);
      for (int i = OWN_ARGUMENTS; i < words.length; i++) {
        limit.measure(Integer.parseInt(words[i]), Integer.parseInt(words[OWN_ARGUMENTS - 1]));
      }
      limit.other.shutdownNow();
    }
  }

  private static SslContext build(SslContextBuilder builder, SslProvider provider, String authority)
      throws SSLException {
    return builder
        .sslProvider(provider)
        .protocols("TLSv1.3")
        .trustManager(new File(authority))
        .build();
  }

  /** What both ends do at the same time. */
  @FunctionalInterface
  private interface Task {
    void run(End end) throws IOException;
  }

  private void both(Task task) throws Exception {
    Callable<Void> second =
        () -> {
          task.run(two);
          return null;
        };
    Future<Void> ended = other.submit(second);
    task.run(one);
    ended.get();
  }

  private void measure(int bytes, int fixed) throws Exception {
    one.resize(bytes);
    two.resize(bytes);
    int calls = fixed == 0 ? LEAST_CALLS : fixed;
    long nanos = calls(calls);
    for (long warm = nanos; fixed == 0 && warm < WARM_NANOS; warm += nanos) {
      nanos = calls(calls);
      double wanted = (double) TARGET_NANOS / nanos * calls;
      calls = (int) Math.max(LEAST_CALLS, Math.min(MOST_CALLS, wanted));
    }
    calls(calls);
    System.out.println(Probe.exchange(bytes, calls, stopwatch.nanos()));
  }

  /** Makes calls; returns the time of all. */
  private long calls(int count) throws Exception {
    long before = System.nanoTime();
    both(
        end -> {
          if (end == one) {
            stopwatch.time(end, count, 1);
          } else {
            for (int call = 0; call < count; call++) {
              end.run();
            }
          }
        });
    return Math.max(1, System.nanoTime() - before);
  }

  /** One end of the connection; a call exchanges a message. */
  private static final class End implements Runnable {
    private final SocketChannel channel;
    private final SSLEngine engine;
    private final ByteBuffer in;
    private final ByteBuffer out;
    private ByteBuffer from = ByteBuffer.allocate(0);
    private ByteBuffer into;
    private int bytes;

    End(SocketChannel channel, SSLEngine engine) throws IOException {
      this.channel = channel;
      this.engine = engine;
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.configureBlocking(false);
      in = ByteBuffer.allocateDirect(RECORDS * engine.getSession().getPacketBufferSize()).limit(0);
      out = ByteBuffer.allocateDirect(in.capacity()).limit(0);
      resize(0);
    }

    void resize(int length) {
      bytes = length;
      from = ByteBuffer.allocateDirect(length);
      into = ByteBuffer.allocateDirect(length + engine.getSession().getApplicationBufferSize());
    }

    void handshake() throws IOException {
      engine.beginHandshake();
      while (true) {
        switch (engine.getHandshakeStatus()) {
          case NEED_TASK -> engine.getDelegatedTask().run();
          case NEED_WRAP -> {
            engine.wrap(from, out.clear());
            out.flip();
            while (out.hasRemaining()) {
              channel.write(out);
            }
          }
          case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
            if (engine.unwrap(in, into).getStatus() == Status.BUFFER_UNDERFLOW && !fill()) {
              idle();
            }
          }
          default -> {
            return;
          }
        }
      }
    }

    @Override
    public void run() {
      try {
        from.clear();
        into.clear();
        while (from.hasRemaining() || out.hasRemaining() || into.position() < bytes) {
          boolean sent = send();
          if (!receive() && !sent) {
            idle();
          }
        }
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }

    private boolean send() throws IOException {
      int record = engine.getSession().getPacketBufferSize();
      if (!out.hasRemaining() && from.hasRemaining()) {
        out.clear();
        while (from.hasRemaining() && out.remaining() >= record) {
          engine.wrap(from, out);
        }
        out.flip();
      }
      return out.hasRemaining() && channel.write(out) > 0;
    }

    /** Takes no bytes of the next message. */
    private boolean receive() throws IOException {
      int before = into.position();
      Status status = Status.OK;
      while (into.position() < bytes && status == Status.OK && in.hasRemaining()) {
        SSLEngineResult result = engine.unwrap(in, into);
        status = result.getStatus();
        if (result.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NEED_TASK) {
          engine.getDelegatedTask().run();
        }
      }
      return (into.position() < bytes && fill()) || into.position() > before;
    }

    @SuppressWarnings("ThreadPriorityCheck") // the other end may need this core
    private static void idle() {
      Thread.yield();
    }

    private boolean fill() throws IOException {
      in.compact();
      int count = channel.read(in);
      in.flip();
      if (count < 0) {
        throw new EOFException("the other end has closed");
      }
      return count > 0;
    }
  }
}
