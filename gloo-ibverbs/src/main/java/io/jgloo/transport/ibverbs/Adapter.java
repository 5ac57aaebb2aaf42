package io.jgloo.transport.ibverbs;

import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.ibverbs.verbs.DeviceLimits;
import io.jgloo.transport.ibverbs.verbs.Gid;
import io.jgloo.transport.ibverbs.verbs.MemoryRegion;
import io.jgloo.transport.ibverbs.verbs.PortState;
import io.jgloo.transport.ibverbs.verbs.Verbs;
import io.jgloo.transport.ibverbs.verbs.VerbsException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An opened RDMA device: its context, its protection domain, the port and the address used.
 *
 * <p><i>Threads</i>: any. <i>Owns</i>: context and domain.
 */
final class Adapter implements AutoCloseable {

  private static final Logger LOG = System.getLogger(Adapter.class.getName());

  private final Verbs verbs;
  private final String device;
  private final Settings settings;
  private final AtomicLong pinned = new AtomicLong();
  private final long context;
  private final long domain;
  private DeviceLimits limits;
  private PortState port;
  private int portNumber;
  private int gidIndex;
  private Gid gid;

  /**
   * @throws UnavailableException if there is no such device or port, or it cannot be used
   */
  Adapter(Verbs verbs, IbverbsAttributes attributes) {
    this.verbs = verbs;
    settings = attributes.settings();
    try {
      device = choose(attributes.device());
      context = verbs.open(device);
      long opened = 0;
      try {
        limits = verbs.queryDevice(context);
        choosePort(attributes.port());
        chooseGid(attributes.gid());
        opened = verbs.allocateDomain(context);
      } finally {
        if (opened == 0) {
          verbs.close(context);
        }
      }
      domain = opened;
    } catch (VerbsException e) {
      throw new UnavailableException("cannot use an RDMA device: " + e.getMessage(), e);
    }
    LOG.log(
        Level.INFO,
        "{0} port {1}, GID {2} {3} ({4}), packets of {5} bytes, messages up to {6}; devices: {7}",
        device,
        portNumber,
        gidIndex,
        gid,
        gid.type(),
        128 << mtu(),
        port.maxMessageBytes(),
        names());
  }

  /** Why no device of this machine can be used, or empty. */
  static Optional<String> absence(Verbs verbs) {
    try {
      return verbs.devices().isEmpty()
          ? Optional.of("this machine has no RDMA device")
          : Optional.empty();
    } catch (VerbsException e) {
      return Optional.of("the RDMA devices cannot be listed: " + e.getMessage());
    }
  }

  private List<String> names() {
    try {
      return verbs.devices();
    } catch (VerbsException e) {
      return List.of(device);
    }
  }

  private String choose(String wanted) throws VerbsException {
    List<String> names = verbs.devices();
    if (wanted != null && !names.contains(wanted)) {
      throw new IllegalArgumentException(
          "attribute device: there is no RDMA device '" + wanted + "'; there are " + names);
    }
    if (wanted != null) {
      return wanted;
    }
    for (String name : names) {
      if (hasActivePort(name)) {
        return name;
      }
    }
    throw new UnavailableException(
        names.isEmpty()
            ? "this machine has no RDMA device"
            : "none of the RDMA devices " + names + " has an active port");
  }

  private boolean hasActivePort(String name) throws VerbsException {
    long opened = verbs.open(name);
    try {
      return verbs.queryPort(opened, 1).state() == PortState.ACTIVE;
    } finally {
      verbs.close(opened);
    }
  }

  private void choosePort(int wanted) throws VerbsException {
    portNumber = wanted == 0 ? 1 : wanted;
    port = verbs.queryPort(context, portNumber);
    if (port.state() != PortState.ACTIVE) {
      throw new UnavailableException(
          "port " + portNumber + " of " + device + " is not active, its state is " + port.state());
    }
  }

  private void chooseGid(int wanted) throws VerbsException {
    if (wanted >= port.gids()) {
      throw new IllegalArgumentException(
          "attribute gid: port %d of %s has %d entries, not %d"
              .formatted(portNumber, device, port.gids(), wanted));
    }
    int best = -1;
    // An entry that was named is looked at alone: a table may have a thousand.
    int from = Math.max(wanted, 0);
    int to = wanted < 0 ? port.gids() : wanted + 1;
    for (int index = from; index < to; index++) {
      Gid entry = verbs.queryGid(context, portNumber, index);
      if (entry.exists() && preference(entry) > best) {
        best = preference(entry);
        gidIndex = index;
        gid = entry;
      }
    }
    if (gid == null) {
      throw new UnavailableException(
          "port %d of %s has no GID %s; it has %s"
              .formatted(
                  portNumber, device, wanted < 0 ? "that can be used" : "" + wanted, gids()));
    }
  }

  private List<Gid> gids() throws VerbsException {
    List<Gid> gids = new ArrayList<>();
    for (int index = 0; index < port.gids(); index++) {
      Gid entry = verbs.queryGid(context, portNumber, index);
      if (entry.exists()) {
        gids.add(entry);
      }
    }
    return gids;
  }

  /** Routable before local, IPv4 before IPv6; RoCE v1 only if nothing else is there. */
  private int preference(Gid entry) {
    if (port.linkLayer() != PortState.ETHERNET) {
      return 0; // the first
    }
    int kind = entry.type() == Gid.Type.ROCE_1 ? 0 : 4;
    return kind + (entry.isMappedIpv4() ? 2 : entry.isLinkLocal() ? 0 : 1);
  }

  Verbs verbs() {
    return verbs;
  }

  Settings settings() {
    return settings;
  }

  String device() {
    return device;
  }

  long context() {
    return context;
  }

  long domain() {
    return domain;
  }

  DeviceLimits limits() {
    return limits;
  }

  int portNumber() {
    return portNumber;
  }

  PortState port() {
    return port;
  }

  int gidIndex() {
    return gidIndex;
  }

  Gid gid() {
    return gid;
  }

  /** Code of the packet size we propose. */
  int mtu() {
    return settings.mtu() == 0 ? port.activeMtu() : Math.min(settings.mtu(), port.maxMtu());
  }

  /** Longest message one work request may move. */
  long maxMessageBytes() {
    return Math.min(port.maxMessageBytes(), 1 << 30);
  }

  long pinnedBytes() {
    return pinned.get();
  }

  /**
   * Pins memory, within the budget.
   *
   * @param what for the error
   * @throws UnavailableException that names need and limit, if it cannot be
   */
  MemoryRegion pin(long address, long length, int access, String what) {
    long total = pinned.addAndGet(length);
    try {
      if (total > settings.pinnedBytes()) {
        throw new UnavailableException(
            ("%s needs %d bytes of pinned memory, %d with what is pinned already,"
                    + " attribute pinned allows %d")
                .formatted(what, length, total, settings.pinnedBytes()));
      }
      MemoryRegion region = verbs.register(domain, address, length, access);
      total = 0;
      return region;
    } catch (VerbsException e) {
      throw new UnavailableException(refusal(e, what, length, total), e);
    } finally {
      if (total != 0) {
        pinned.addAndGet(-length);
      }
    }
  }

  private String refusal(VerbsException e, String what, long length, long total) {
    long limit = verbs.lockedMemoryLimitBytes();
    boolean tight =
        limit < total
            && (e.errno() == VerbsException.ENOMEM
                || e.errno() == VerbsException.EAGAIN
                || e.errno() == VerbsException.EPERM);
    String need =
        "%s needs %d bytes of pinned memory, %d with what %s has pinned already"
            .formatted(what, length, total, device);
    return tight
        ? "%s, but this process may lock %d (RLIMIT_MEMLOCK, ulimit -l): %s"
            .formatted(need, limit, e.getMessage())
        : need + ": " + e.getMessage();
  }

  void unpin(MemoryRegion region) {
    verbs.deregister(region);
    pinned.addAndGet(-region.length());
  }

  @Override
  public void close() {
    verbs.deallocateDomain(domain);
    verbs.close(context);
  }

  @Override
  public String toString() {
    return device + " port " + portNumber;
  }
}
