package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.Address;
import io.jgloo.transport.Device;
import io.jgloo.transport.engine.Platform;
import io.jgloo.transport.tcp.socket.Acceptor;
import io.jgloo.transport.tcp.socket.Link;
import io.jgloo.transport.tcp.socket.Sockets;
import io.jgloo.transport.tcp.wire.FailureNotices;
import io.jgloo.transport.tls.TlsContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.UUID;
import java.util.function.Predicate;

/** A device whose thread connects pairs, as the connecting classes use it. */
public interface ConnectDevice extends Device {

  Platform platform();

  /** Runs a task in the device's thread after 1 ms, such as one that could not take a lock. */
  void retry(Runnable task);

  /**
   * Runs a task in the device's thread a moment later.
   *
   * @param substitute runs if the thread has ended: closes what the task would have taken over
   */
  void retry(Runnable task, Runnable substitute);

  /** The address that peers connect to. */
  InetSocketAddress listener();

  Refusals refusals();

  PairNumbers pairNumbers();

  Address addressOf(UUID incarnation);

  /** An address of this device with the payload of the wire. */
  Address addressOf(byte[] payload);

  /**
   * For exceptions about a peer that has not connected: why this device could not accept it, or
   * nothing.
   */
  String whyNotAccepted();

  Sockets sockets();

  boolean isOwn(InetAddress address);

  String host();

  FailureNotices failureNotices();

  /** What encrypts connections, or null. */
  TlsContext encryption();

  /** Dials; at the deadline the connection table is notified if that has not succeeded. */
  void dialOnDemand(Dial dial);

  /** The system's congestion control, or null if it cannot be known. */
  String defaultCongestion();

  /** Makes a call on a connection of its own; see {@link SideCall}. */
  void call(InetSocketAddress listener, byte[] request, long deadlineNanos, SideCall.Reply reply);

  /** Runs a task in the device's thread after a pause. */
  void later(long pauseNanos, Runnable task);

  /** The mesh of an incarnation, or null. */
  ConnectMesh find(UUID incarnation);

  void dial(Dial dial);

  void dismiss(Acceptor acceptor);

  /** Accepts the connections of one more listening socket, in the device's thread. */
  void attend(Acceptor acceptor, ConnectMesh mesh, Predicate<Link> handler);

  void closeDelayed(Link link, byte[] left, SideChannel.Notice notice);

  /** A mesh has been closed. */
  void forget(ConnectMesh mesh);

  /**
   * Logs how ranks of this host are reached.
   *
   * @param key the text without the numbers of ranks
   */
  void logRoutes(String key, String text);

  /** The local address it listens on. */
  InetAddress bound();

  /** Makes progress for requests that no thread waits for; whether there are any. */
  boolean patrol();
}
