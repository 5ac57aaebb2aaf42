package io.jgloo.ps;

import io.jgloo.ps.node.Role;
import io.jgloo.ps.node.Topology;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rpc.agent.MessengerOptions;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.JobSecret;
import io.jgloo.transport.TlsOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a node starts.
 *
 * @param role what the node does
 * @param topology the declared numbers, the same at all nodes
 * @param host name or address at which the nodes reach the scheduler's store
 * @param port of that store
 * @param store where nodes find each other, open and staying open; null for one that the scheduler
 *     serves at host and port
 * @param rank the rank to ask for; -1 for any
 * @param startTimeout how long to wait for all nodes
 * @param windowBytes bytes of requests and expected replies that a worker has under way to each
 *     server and customer; a call waits for room
 * @param replicas replicas of the keys of each server, the same at all nodes: at as many servers of
 *     the next ranks, which get each push before that is answered
 * @param messenger connections; its group is the name of the system
 */
public record PsOptions(
    Role role,
    Topology topology,
    @Nullable String host,
    int port,
    @Nullable Store store,
    int rank,
    Duration startTimeout,
    long windowBytes,
    int replicas,
    MessengerOptions messenger) {

  private static final MessengerOptions MESSENGER = MessengerOptions.builder().group("ps").build();

  /**
   * @throws IllegalArgumentException if a number or timeout is out of range
   */
  public PsOptions {
    Objects.requireNonNull(role, "role");
    Objects.requireNonNull(topology, "topology");
    Objects.requireNonNull(messenger, "messenger");
    if (rank < -1 || rank >= topology.count(role)) {
      throw new IllegalArgumentException(
          "rank must be -1 to " + (topology.count(role) - 1) + ", is " + rank);
    }
    if (startTimeout.isNegative() || startTimeout.isZero()) {
      throw new IllegalArgumentException("startTimeout must be positive, is " + startTimeout);
    }
    if (windowBytes < 1) {
      throw new IllegalArgumentException("windowBytes must be positive, is " + windowBytes);
    }
    if (replicas < 0 || replicas >= topology.servers()) {
      throw new IllegalArgumentException(
          ("replicas must be 0 or more, and less than the number of servers, " + topology.servers())
              + (", is " + replicas));
    }
    if (store == null && (port < 1 || port > 65535)) {
      throw new IllegalArgumentException("port must be 1 to 65535, is " + port);
    }
  }

  /**
   * Options of a node that finds the others by a store that the scheduler serves. The node uses the
   * address from which packets leave for that host.
   */
  public static PsOptions of(Role role, Topology topology, String host, int port) {
    DeviceOptions device =
        DeviceOptions.DEFAULTS.with("reach", Objects.requireNonNull(host, "host"));
    MessengerOptions messenger = MESSENGER.toBuilder().device("tcp", device).build();
    return new PsOptions(
        role, topology, host, port, null, -1, Duration.ofMinutes(5), 64L << 20, 0, messenger);
  }

  /** Options of a node that finds the others by a store, which stays open. */
  public static PsOptions of(Role role, Topology topology, Store store) {
    Objects.requireNonNull(store, "store");
    return new PsOptions(
        role, topology, null, 0, store, -1, Duration.ofMinutes(5), 64L << 20, 0, MESSENGER);
  }

  /** As {@link #fromEnvironment(Map)}, from the variables of this process. */
  public static PsOptions fromEnvironment() {
    return fromEnvironment(System.getenv());
  }

  /**
   * Options from the variables that launchers of ps-lite set.
   *
   * <p>{@code DMLC_ROLE}, {@code DMLC_NUM_SERVER}, {@code DMLC_NUM_WORKER}, {@code
   * DMLC_PS_ROOT_URI} and {@code DMLC_PS_ROOT_PORT} are required. {@code DMLC_RANK}, {@code
   * DMLC_NODE_HOST}, {@code DMLC_INTERFACE}, {@code PORT} and {@code PS_HEARTBEAT_TIMEOUT} (seconds
   * until a node that cannot be reached counts as lost) and {@code PS_REPLICAS} are optional, and
   * so are the secret of the job ({@link JobSecret#fromEnvironment}) and its files for TLS ({@link
   * TlsOptions#fromEnvironment}). {@code PS_RESEND} is not read: what is not acknowledged is always
   * sent again.
   *
   * @throws IllegalArgumentException if a variable is missing or malformed
   */
  public static PsOptions fromEnvironment(Map<String, String> variables) {
    Role role =
        switch (required(variables, "DMLC_ROLE")) {
          case "scheduler" -> Role.SCHEDULER;
          case "server" -> Role.SERVER;
          case "worker" -> Role.WORKER;
          default ->
              throw new IllegalArgumentException(
                  "DMLC_ROLE must be scheduler, server or worker, is "
                      + variables.get("DMLC_ROLE"));
        };
    Topology topology =
        new Topology(
            number(variables, "DMLC_NUM_SERVER", null), number(variables, "DMLC_NUM_WORKER", null));
    PsOptions options =
        of(
                role,
                topology,
                required(variables, "DMLC_PS_ROOT_URI"),
                number(variables, "DMLC_PS_ROOT_PORT", null))
            .withRank(number(variables, "DMLC_RANK", "-1"));
    DeviceOptions device = options.messenger.deviceOptions();
    String own = variables.get("DMLC_NODE_HOST");
    device = with(device, isLocal(own) ? "bind" : "advertise", own);
    device = with(device, "interface", variables.get("DMLC_INTERFACE"));
    device = with(device, "port", variables.get("PORT"));
    device = JobSecret.fromEnvironment(variables).map(device::withSecret).orElse(device);
    DeviceOptions known = device;
    device = TlsOptions.fromEnvironment(variables).map(tls -> tls.addTo(known)).orElse(known);
    MessengerOptions.Builder messenger = options.messenger.toBuilder().device("tcp", device);
    int silence = number(variables, "PS_HEARTBEAT_TIMEOUT", "0");
    if (silence > 0) {
      messenger.peerTimeout(Duration.ofSeconds(silence));
    }
    return options
        .withMessenger(messenger.build())
        .withReplicas(number(variables, "PS_REPLICAS", "0"));
  }

  private static boolean isLocal(@Nullable String host) {
    try {
      return host != null && NetworkInterface.getByInetAddress(InetAddress.getByName(host)) != null;
    } catch (IOException e) {
      return false;
    }
  }

  private static DeviceOptions with(
      DeviceOptions device, String attribute, @Nullable String value) {
    return value == null || value.isEmpty() ? device : device.with(attribute, value);
  }

  private static String required(Map<String, String> variables, String name) {
    String value = variables.get(name);
    if (value == null || value.isEmpty()) {
      throw new IllegalArgumentException("environment variable " + name + " is not set");
    }
    return value;
  }

  private static int number(
      Map<String, String> variables, String name, @Nullable String byDefault) {
    String value =
        byDefault == null ? required(variables, name) : variables.getOrDefault(name, byDefault);
    try {
      return Integer.parseInt(value.trim());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "environment variable " + name + " must be a number, is '" + value + "'", e);
    }
  }

  /** These options with a rank to ask for; -1 for any. */
  public PsOptions withRank(int wanted) {
    return new PsOptions(
        role, topology, host, port, store, wanted, startTimeout, windowBytes, replicas, messenger);
  }

  /** These options with another time to wait for all nodes. */
  public PsOptions withStartTimeout(Duration timeout) {
    return new PsOptions(
        role, topology, host, port, store, rank, timeout, windowBytes, replicas, messenger);
  }

  /** These options with another number of bytes under way to each server. */
  public PsOptions withWindowBytes(long bytes) {
    return new PsOptions(
        role, topology, host, port, store, rank, startTimeout, bytes, replicas, messenger);
  }

  /** These options with another number of replicas of each server's keys. */
  public PsOptions withReplicas(int count) {
    return new PsOptions(
        role, topology, host, port, store, rank, startTimeout, windowBytes, count, messenger);
  }

  /** These options with other connections. */
  public PsOptions withMessenger(MessengerOptions options) {
    return new PsOptions(
        role, topology, host, port, store, rank, startTimeout, windowBytes, replicas, options);
  }

  /**
   * The connections of a node, with room for what all workers may have under way.
   *
   * @param left time to start
   * @param startAgents nodes that the start waits for
   */
  MessengerOptions connections(Duration left, int startAgents) {
    long payload = Math.max(messenger.payloadBytes(), topology.workers() * windowBytes);
    MessengerOptions.Builder connections =
        messenger.toBuilder().startTimeout(left).startAgents(startAgents).payloadBytes(payload);
    if (replicas > 0 && role == Role.SERVER) {
      long forwarded = 2L * topology.workers() * windowBytes;
      connections.queueBytes(Math.max(messenger.queueBytes(), forwarded));
    }
    return connections.build();
  }
}
