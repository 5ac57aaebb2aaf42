package io.jgloo.transport.tcp;

import io.jgloo.transport.Address;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/**
 * Stands between a rank and the listener it dials, and does to the connections what networks do.
 *
 * <p><i>Threads</i>: one of its own moves all bytes; the test's threads give orders. <i>Owns</i>:
 * its listener and all connections through it.
 */
public final class FaultProxy implements AutoCloseable {

  private static final long IDLE_NANOS = 100_000;
  private static final long PATIENCE_NANOS = 20_000_000_000L;
  private static final int PORT_OFFSET = 16;

  private final ServerSocketChannel server;
  private final Thread thread = new Thread(this::run, "fault-proxy");
  private final boolean recording;
  private final List<Wire> wires = new CopyOnWriteArrayList<>();
  private volatile InetSocketAddress target;
  private volatile Shape shape = Shape.PLAIN;
  private volatile boolean closed;

  /** A proxy that passes on everything as it comes. */
  public FaultProxy() {
    this(false);
  }

  private FaultProxy(boolean recording) {
    this.recording = recording;
    try {
      server = ServerSocketChannel.open();
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      server.configureBlocking(false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    thread.setDaemon(true);
    thread.start();
  }

  /** A proxy that also records the bytes of each connection. */
  public static FaultProxy recording() {
    return new FaultProxy(true);
  }

  /** How the bytes of connections made from now on are passed on. */
  public FaultProxy shape(Shape next) {
    shape = next;
    return this;
  }

  /** The address of a TCP mesh as those should see it who are to come through here. */
  public Address before(Address address) {
    byte[] payload = address.payload();
    ByteBuffer bytes = ByteBuffer.wrap(payload);
    byte[] ip = new byte[payload[PORT_OFFSET + 2]];
    bytes.get(PORT_OFFSET + 3, ip);
    try {
      int port = Short.toUnsignedInt(bytes.getShort(PORT_OFFSET));
      InetSocketAddress own = before(new InetSocketAddress(InetAddress.getByAddress(ip), port));
      byte[] ownIp = own.getAddress().getAddress();
      ByteBuffer rewritten = ByteBuffer.allocate(PORT_OFFSET + 3 + ownIp.length);
      rewritten.put(payload, 0, PORT_OFFSET).putShort((short) own.getPort());
      rewritten.put((byte) ownIp.length).put(ownIp);
      return new Address(address.device(), address.host(), "proxy of " + target, rewritten.array());
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("not an address of a TCP mesh: " + address, e);
    }
  }

  /** The address at which connections made from now on are passed on to this listener. */
  public InetSocketAddress before(InetSocketAddress listener) {
    target = listener;
    try {
      return (InetSocketAddress) server.getLocalAddress();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The connections made so far, in order. */
  List<Wire> wires() {
    return List.copyOf(wires);
  }

  /**
   * The n-th connection, from 0; waits for it. Those that were replaced do not count: a listener
   * may answer an attempt "not yet", and its dialler then closes it and begins again.
   */
  public Wire wire(int number) {
    long start = System.nanoTime();
    while (true) {
      List<Wire> lasting = wires.stream().filter(wire -> !wire.isReplaced()).toList();
      if (lasting.size() > number) {
        return lasting.get(number);
      }
      if (System.nanoTime() - start > PATIENCE_NANOS) {
        throw new AssertionError("connection " + number + " through the proxy was never made");
      }
      LockSupport.parkNanos(IDLE_NANOS);
    }
  }

  private void run() {
    while (!closed) {
      boolean moved = false;
      try {
        moved = accept();
      } catch (IOException e) {
        // The target refuses; the dialling connection has been closed.
      }
      for (Wire wire : wires) {
        moved |= wire.pump();
      }
      if (!moved) {
        LockSupport.parkNanos(IDLE_NANOS);
      }
    }
    wires.forEach(Wire::drop);
  }

  private boolean accept() throws IOException {
    SocketChannel dialler = server.accept();
    if (dialler == null) {
      return false;
    }
    for (Wire wire : wires) {
      wire.pump(); // a dialler that begins again has closed its connection before
      wire.replaceIfEnded();
    }
    try {
      wires.add(new Wire(dialler, SocketChannel.open(target), shape, recording));
    } catch (IOException e) {
      dialler.close();
      throw e;
    }
    return true;
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
