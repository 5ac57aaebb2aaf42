package io.jgloo.rpc.agent;

import io.jgloo.transport.DeviceOptions;
import java.time.Duration;
import java.util.Objects;

/**
 * The settings of a messenger: connection and limits.
 *
 * @param group name of the group: before its keys in the store, and in messages of errors
 * @param device kind of transport device, one that knows failure scope pairwise: {@code tcp}
 * @param deviceOptions attributes of the device
 * @param startAgents number of agents, this one included, that a start waits for; the others join
 *     when they start. 0 for all
 * @param startTimeout how long to wait for the other agents
 * @param peerTimeout how long a peer that cannot be reached, and of which it is not known that its
 *     process has ended, counts as alive once the start is over
 * @param frameBytes longest frame in bytes; what is longer goes off the heap, in parts. 4 KiB to 1
 *     MiB
 * @param windowBytes bytes of requests and control messages this agent holds for each peer at most
 *     until they have been executed; the others wait at the peer
 * @param payloadBytes bytes of blocks of requests this agent holds at most; a larger request is
 *     taken when no other is held
 * @param maxMessageBytes longest message in bytes; longer ones are refused
 * @param queueBytes bytes of requests to one peer that this agent keeps at most: those that wait
 *     for the peer's credit, and the bodies longer than a frame that the peer has not fetched. A
 *     further one is not executed; one is taken in any case if none is kept. Blocks of the caller
 *     do not count
 */
public record MessengerOptions(
    String group,
    String device,
    DeviceOptions deviceOptions,
    int startAgents,
    Duration startTimeout,
    Duration peerTimeout,
    int frameBytes,
    long windowBytes,
    long payloadBytes,
    long maxMessageBytes,
    long queueBytes) {

  /**
   * TCP, 64 KiB frames, windows of 4 MiB, 1 GiB of payload, messages of at most 16 GiB, 64 MiB of
   * messages kept for a peer.
   */
  public static final MessengerOptions DEFAULTS = builder().build();

  /**
   * @throws IllegalArgumentException if a limit or timeout is out of range, or the group is empty
   */
  public MessengerOptions {
    Objects.requireNonNull(device, "device");
    Objects.requireNonNull(deviceOptions, "deviceOptions");
    if (group.isEmpty()) {
      throw new IllegalArgumentException("group must not be empty");
    }
    require(startAgents >= 0, "startAgents must be at least 0", startAgents);
    require(isPositive(startTimeout), "startTimeout must be positive", startTimeout);
    require(isPositive(peerTimeout), "peerTimeout must be positive", peerTimeout);
    require(
        frameBytes >= 4096 && frameBytes <= 1 << 20, "frameBytes must be 4096 to 2^20", frameBytes);
    require(windowBytes > 0, "windowBytes must be positive", windowBytes);
    require(payloadBytes > 0, "payloadBytes must be positive", payloadBytes);
    require(maxMessageBytes > 0, "maxMessageBytes must be positive", maxMessageBytes);
    require(queueBytes > 0, "queueBytes must be positive", queueBytes);
  }

  private static boolean isPositive(Duration time) {
    return !time.isNegative() && !time.isZero();
  }

  private static void require(boolean valid, String what, Object value) {
    if (!valid) {
      throw new IllegalArgumentException(what + ", but is " + value);
    }
  }

  /** Returns a builder with the values of {@link #DEFAULTS}. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a builder with the values of these options. */
  public Builder toBuilder() {
    return builder()
        .group(group)
        .device(device, deviceOptions)
        .startAgents(startAgents)
        .startTimeout(startTimeout)
        .peerTimeout(peerTimeout)
        .frameBytes(frameBytes)
        .windowBytes(windowBytes)
        .payloadBytes(payloadBytes)
        .maxMessageBytes(maxMessageBytes)
        .queueBytes(queueBytes);
  }

  /** Builds options; each method sets the component of its name. */
  public static final class Builder {
    private String group = "rpc";
    private String device = "tcp";
    private DeviceOptions deviceOptions = DeviceOptions.DEFAULTS;
    private int startAgents;
    private Duration startTimeout = Duration.ofMinutes(5);
    private Duration peerTimeout = Duration.ofSeconds(60);
    private int frameBytes = 64 << 10;
    private long windowBytes = 4 << 20;
    private long payloadBytes = 1 << 30;
    private long maxMessageBytes = 16L << 30;
    private long queueBytes = 64 << 20;

    private Builder() {}

    public Builder group(String value) {
      group = value;
      return this;
    }

    /** Sets the kind of device and its attributes. */
    public Builder device(String kind, DeviceOptions attributes) {
      device = kind;
      deviceOptions = attributes;
      return this;
    }

    public Builder startAgents(int value) {
      startAgents = value;
      return this;
    }

    public Builder startTimeout(Duration value) {
      startTimeout = value;
      return this;
    }

    public Builder peerTimeout(Duration value) {
      peerTimeout = value;
      return this;
    }

    public Builder frameBytes(int value) {
      frameBytes = value;
      return this;
    }

    public Builder windowBytes(long value) {
      windowBytes = value;
      return this;
    }

    public Builder payloadBytes(long value) {
      payloadBytes = value;
      return this;
    }

    public Builder maxMessageBytes(long value) {
      maxMessageBytes = value;
      return this;
    }

    public Builder queueBytes(long value) {
      queueBytes = value;
      return this;
    }

    /**
     * @throws IllegalArgumentException if a limit or timeout is out of range
     */
    public MessengerOptions build() {
      return new MessengerOptions(
          group,
          device,
          deviceOptions,
          startAgents,
          startTimeout,
          peerTimeout,
          frameBytes,
          windowBytes,
          payloadBytes,
          maxMessageBytes,
          queueBytes);
    }
  }
}
