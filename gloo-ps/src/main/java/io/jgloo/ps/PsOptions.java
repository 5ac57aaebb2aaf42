package io.jgloo.ps;

import io.jgloo.ps.node.Role;
import io.jgloo.ps.node.Topology;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rpc.agent.MessengerOptions;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.JobSecret;
import io.jgloo.transport.TlsOptions;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a node.
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
 * @param heartbeat how often an idle node says that it is there; zero for never
 * @param silence how long a node says nothing until it counts as lost, three heartbeats at least
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
    Duration heartbeat,
    Duration silence,
    MessengerOptions messenger) {

  private static final Logger LOG = System.getLogger(PsOptions.class.getName());

  /** Variables of ps-lite without a meaning here, and why. */
  private static final Map<String, String> IGNORED =
      Map.of(
          "DMLC_PS_VAN_TYPE", "nodes use TCP and shared memory",
          "DMLC_ENABLE_RDMA", "nodes use TCP and shared memory",
          "DMLC_LOCAL", "nodes of a host use shared memory in any case",
          "DMLC_PS_WATER_MARK", "PsOptions.withWindowBytes bounds what is under way",
          "DMLC_USE_KUBERNETES", "nodes listen on all interfaces unless DMLC_INTERFACE is set",
          "DMLC_GROUP_SIZE", "a process can have any number of nodes",
          "PS_RESEND", "what is not acknowledged is always sent again",
          "PS_RESEND_TIMEOUT", "what is not acknowledged is always sent again",
          "PS_DROP_MSG", "no message is dropped on purpose",
          "PS_VERBOSE", "loggers of io.jgloo say what happens");

  private static final Duration HEARTBEAT = Duration.ofSeconds(1);
  private static final Duration SILENCE = Duration.ofSeconds(10);
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
    boolean isOff = heartbeat.isZero();
    if (!isOff && (heartbeat.toMillis() < 10 || silence.compareTo(heartbeat.multipliedBy(3)) < 0)) {
      throw new IllegalArgumentException(
          "heartbeat must be 0 or 10 ms at least, and silence three times as long at least, are "
              + (heartbeat + " and " + silence));
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
        role,
        topology,
        host,
        port,
        null,
        -1,
        Duration.ofMinutes(5),
        64L << 20,
        0,
        HEARTBEAT,
        SILENCE,
        messenger);
  }

  /** Options of a node that finds the others by a store, which stays open. */
  public static PsOptions of(Role role, Topology topology, Store store) {
    Objects.requireNonNull(store, "store");
    return new PsOptions(
        role,
        topology,
        null,
        0,
        store,
        -1,
        Duration.ofMinutes(5),
        64L << 20,
        0,
        HEARTBEAT,
        SILENCE,
        MESSENGER);
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
   * DMLC_NODE_HOST}, {@code DMLC_INTERFACE}, {@code PORT}, {@code PS_HEARTBEAT_INTERVAL} and {@code
   * PS_HEARTBEAT_TIMEOUT} (seconds; 0 for no heartbeats) and {@code PS_REPLICAS} are optional, and
   * so are the secret of the job ({@link JobSecret#fromEnvironment}) and its files for TLS ({@link
   * TlsOptions#fromEnvironment}). Other variables of ps-lite are reported once and ignored.
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
    int interval = number(variables, "PS_HEARTBEAT_INTERVAL", "" + HEARTBEAT.toSeconds());
    long least = Math.max(SILENCE.toSeconds(), 3L * interval);
    int timeout = number(variables, "PS_HEARTBEAT_TIMEOUT", "" + least);
    sayIgnored(variables);
    return options
        .withMessenger(options.messenger.toBuilder().device("tcp", device).build())
        .withHeartbeat(
            Duration.ofSeconds(timeout == 0 ? 0 : Math.min(interval, Math.max(1, timeout / 3))),
            Duration.ofSeconds(timeout))
        .withReplicas(number(variables, "PS_REPLICAS", "0"));
  }

  /** Says which variables of ps-lite are set and have no meaning here. */
  private static void sayIgnored(Map<String, String> variables) {
    IGNORED.forEach(
        (name, why) -> {
          if (variables.containsKey(name)) {
            LOG.log(Level.WARNING, "environment variable {0} is ignored: {1}", name, why);
          }
        });
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

  private PsOptions copy(
      int rank,
      Duration start,
      long window,
      int count,
      Duration interval,
      Duration timeout,
      MessengerOptions connections) {
    return new PsOptions(
        role,
        topology,
        host,
        port,
        store,
        rank,
        start,
        window,
        count,
        interval,
        timeout,
        connections);
  }

  /** These options with a rank to ask for; -1 for any. */
  public PsOptions withRank(int wanted) {
    return copy(wanted, startTimeout, windowBytes, replicas, heartbeat, silence, messenger);
  }

  /** These options with another time to wait for all nodes. */
  public PsOptions withStartTimeout(Duration timeout) {
    return copy(rank, timeout, windowBytes, replicas, heartbeat, silence, messenger);
  }

  /** These options with another number of bytes under way to each server. */
  public PsOptions withWindowBytes(long bytes) {
    return copy(rank, startTimeout, bytes, replicas, heartbeat, silence, messenger);
  }

  /** These options with another number of replicas of each server's keys. */
  public PsOptions withReplicas(int count) {
    return copy(rank, startTimeout, windowBytes, count, heartbeat, silence, messenger);
  }

  /**
   * These options with other heartbeats; the same at all nodes.
   *
   * @param interval how often an idle node says that it is there; zero for never
   * @param timeout how long a node says nothing until it counts as lost
   */
  public PsOptions withHeartbeat(Duration interval, Duration timeout) {
    return copy(rank, startTimeout, windowBytes, replicas, interval, timeout, messenger);
  }

  /** These options with other connections. */
  public PsOptions withMessenger(MessengerOptions options) {
    return copy(rank, startTimeout, windowBytes, replicas, heartbeat, silence, options);
  }

  /**
   * The connections of a node, with room for what all workers may have under way.
   *
   * @param left time to start
   * @param startAgents nodes that the start waits for
   */
  MessengerOptions connections(Duration left, int startAgents) {
    long payload = Math.max(messenger.payloadBytes(), topology.workers() * windowBytes);
    DeviceOptions device = messenger.deviceOptions();
    Duration away = messenger.peerTimeout();
    if (!heartbeat.isZero() && messenger.device().equals("tcp")) {
      // Half of the time until the connection counts as lost, the rest until its node does.
      long misses = Math.max(2, silence.dividedBy(heartbeat) / 2);
      device =
          device
              .with("heartbeat", "" + heartbeat.toMillis())
              .with("misses", "" + Math.min(1000, misses));
      away = silence.minus(heartbeat.multipliedBy(misses));
    }
    MessengerOptions.Builder connections =
        messenger.toBuilder()
            .device(messenger.device(), device)
            .startTimeout(left)
            .peerTimeout(away)
            .startAgents(startAgents)
            .payloadBytes(payload);
    if (replicas > 0 && role == Role.SERVER) {
      long forwarded = 2L * topology.workers() * windowBytes;
      connections.queueBytes(Math.max(messenger.queueBytes(), forwarded));
    }
    return connections.build();
  }
}
