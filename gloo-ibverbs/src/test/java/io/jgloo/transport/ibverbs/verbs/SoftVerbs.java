package io.jgloo.transport.ibverbs.verbs;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/**
 * An RDMA device in software: moves bytes between ranks of one JVM, and refuses whatever the
 * specification refuses.
 *
 * <p><i>Threads</i>: any. Objects are found by their handles without allocation.
 */
public final class SoftVerbs implements Verbs {

  static final String NAME = "soft0";
  private static final long MAX_MESSAGE_BYTES = 8 << 20;
  private static final int EBUSY = 16;

  private final SoftFabric fabric;
  private final SoftFaults faults;
  private final List<Object> objects = new ArrayList<>();
  private final Map<String, Integer> live = new HashMap<>();
  private final Queue<AsyncEvent> events = new ArrayDeque<>();
  private SoftRegion[] regions = new SoftRegion[64];
  private int regionCount;
  private long lockedBytes;
  private long lockedLimit = Long.MAX_VALUE;
  private long maxMessageBytes = MAX_MESSAGE_BYTES;
  private int maxQueueEntries = 32767;
  private int registrations;
  private int doorbells;

  public SoftVerbs(SoftFabric fabric) {
    this.fabric = fabric;
    faults = new SoftFaults(fabric);
  }

  public SoftFabric fabric() {
    return fabric;
  }

  public SoftFaults faults() {
    return faults;
  }

  public SoftVerbs lockedLimit(long bytes) {
    lockedLimit = bytes;
    return this;
  }

  public SoftVerbs maxMessageBytes(long bytes) {
    maxMessageBytes = bytes;
    return this;
  }

  public SoftVerbs maxQueueEntries(int entries) {
    maxQueueEntries = entries;
    return this;
  }

  public long maxMessageBytes() {
    return maxMessageBytes;
  }

  /** Objects that have been made and not been destroyed, by kind. */
  public Map<String, Integer> live() {
    synchronized (fabric) {
      Map<String, Integer> left = new HashMap<>(live);
      left.values().removeIf(count -> count == 0);
      return left;
    }
  }

  public long lockedBytes() {
    synchronized (fabric) {
      return lockedBytes;
    }
  }

  public int registrations() {
    synchronized (fabric) {
      return registrations;
    }
  }

  /** Calls by which sends were posted. */
  int doorbells() {
    synchronized (fabric) {
      return doorbells;
    }
  }

  /** Something happens to the device. */
  public void raise(AsyncEvent event) {
    synchronized (fabric) {
      events.add(event);
    }
  }

  public boolean hasNoEvents() {
    synchronized (fabric) {
      return events.isEmpty();
    }
  }

  /** Handles of the queue pairs that exist. */
  public List<Long> pairHandles() {
    synchronized (fabric) {
      return objects.stream()
          .filter(object -> object instanceof SoftPair)
          .map(pair -> ((SoftPair) pair).handle().handle())
          .toList();
    }
  }

  /** A pair goes into the error state by itself. */
  public void breakPair(long handle) {
    synchronized (fabric) {
      ((SoftPair) get(handle)).fail();
    }
  }

  private long add(String kind, Object object) {
    objects.add(object);
    live.merge(kind, 1, Integer::sum);
    return objects.size();
  }

  private Object get(long handle) {
    Object object = handle < 1 || handle > objects.size() ? null : objects.get((int) handle - 1);
    if (object == null) {
      throw new IllegalStateException("handle " + handle + " is not, or no longer, in use");
    }
    return object;
  }

  private void remove(String kind, long handle) {
    get(handle);
    objects.set((int) handle - 1, null);
    live.merge(kind, -1, Integer::sum);
  }

  @Override
  public List<String> devices() {
    return List.of(NAME);
  }

  @Override
  public long open(String device) throws VerbsException {
    synchronized (fabric) {
      if (!device.equals(NAME)) {
        throw new VerbsException("ibv_open_device", 19, "No such device");
      }
      return add("context", device);
    }
  }

  @Override
  public void close(long context) {
    synchronized (fabric) {
      remove("context", context);
      if (live.getOrDefault("context", 0) == 0 && live.values().stream().anyMatch(n -> n > 0)) {
        fabric.violated("a device was closed in use: " + live);
      }
    }
  }

  @Override
  public DeviceLimits queryDevice(long context) {
    return new DeviceLimits(1L << 40, 10_000, 8192, 32, maxQueueEntries, 100_000, 128, 128);
  }

  @Override
  public PortState queryPort(long context, int port) throws VerbsException {
    if (port != 1) {
      throw new VerbsException("ibv_query_port", VerbsException.EINVAL, "Invalid argument");
    }
    return new PortState(PortState.ACTIVE, 5, 5, 4, maxMessageBytes, 0, PortState.ETHERNET);
  }

  @Override
  public Gid queryGid(long context, int port, int index) throws VerbsException {
    return switch (index) {
      case 0 -> new Gid(0xfe80L << 48, 0x5054_00ff_fe12_3456L, Gid.Type.ROCE_2);
      case 1 -> new Gid(0, 0xffff_0a4d_0001L, Gid.Type.ROCE_1);
      case 2 -> new Gid(0, 0xffff_0a4d_0001L, Gid.Type.ROCE_2);
      case 3 -> new Gid(0, 0, Gid.Type.UNKNOWN);
      default -> throw new VerbsException("ibv_query_gid", VerbsException.EINVAL, "Invalid");
    };
  }

  @Override
  public AsyncEvent nextAsyncEvent(long context) {
    synchronized (fabric) {
      return events.poll();
    }
  }

  @Override
  public long allocateDomain(long context) {
    synchronized (fabric) {
      get(context);
      return add("domain", "domain");
    }
  }

  @Override
  public void deallocateDomain(long domain) {
    synchronized (fabric) {
      if (live.getOrDefault("region", 0) + live.getOrDefault("pair", 0) > 0
          && live.get("domain") == 1) {
        fabric.violated("a domain was deallocated in use: " + live);
      }
      remove("domain", domain);
    }
  }

  @Override
  public MemoryRegion register(long domain, long address, long length, int access)
      throws VerbsException {
    synchronized (fabric) {
      get(domain);
      int refusal = faults.refusal();
      if (refusal != 0) {
        throw new VerbsException("ibv_reg_mr", refusal, "injected");
      }
      if (lockedBytes + length > lockedLimit) {
        throw new VerbsException("ibv_reg_mr", VerbsException.ENOMEM, "Cannot allocate memory");
      }
      if ((access & MemoryRegion.REMOTE_WRITE) != 0 && (access & MemoryRegion.LOCAL_WRITE) == 0) {
        throw new VerbsException("ibv_reg_mr", VerbsException.EINVAL, "Invalid argument");
      }
      lockedBytes += length;
      registrations++;
      int key = fabric.nextKey();
      MemoryRegion region = new MemoryRegion(add("region", "region"), address, length, key, key);
      if (regionCount == regions.length) {
        regions = java.util.Arrays.copyOf(regions, 2 * regionCount);
      }
      regions[regionCount++] = new SoftRegion(this, region, access);
      return region;
    }
  }

  @Override
  public void deregister(MemoryRegion region) {
    synchronized (fabric) {
      remove("region", region.handle());
      for (int i = 0; i < regionCount; i++) {
        if (regions[i].region.equals(region)) {
          regions[i] = regions[--regionCount];
          regions[regionCount] = null;
          break;
        }
      }
      lockedBytes -= region.length();
    }
  }

  /** Whether a key permits the access; the monitor is held. */
  boolean reaches(int key, long address, long length, int needed) {
    for (int i = 0; i < regionCount; i++) {
      if (regions[i].region.localKey() == key) {
        return regions[i].covers(address, length, needed);
      }
    }
    return false;
  }

  @Override
  public long lockedMemoryLimitBytes() {
    return lockedLimit;
  }

  @Override
  public long createChannel(long context) {
    synchronized (fabric) {
      get(context);
      return add("channel", new SoftChannel());
    }
  }

  @Override
  public void destroyChannel(long channel) {
    synchronized (fabric) {
      remove("channel", channel);
    }
  }

  @Override
  public int awaitEvent(long channel, long timeoutNanos) {
    SoftChannel waiting;
    synchronized (fabric) {
      waiting = (SoftChannel) get(channel);
      fabric.advance(true);
    }
    return waiting.await(timeoutNanos) ? 1 : 0;
  }

  @Override
  public void wakeup(long channel) {
    synchronized (fabric) {
      Object object = objects.get((int) channel - 1);
      if (object != null) { // else the mesh has just been closed
        ((SoftChannel) object).wakeup();
      }
    }
  }

  @Override
  public int takeEvent(long channel) {
    synchronized (fabric) {
      return ((SoftChannel) get(channel)).take() ? 1 : 0;
    }
  }

  @Override
  public long createQueue(long context, int entries, long channel) throws VerbsException {
    synchronized (fabric) {
      get(context);
      if (entries < 1 || entries > maxQueueEntries) {
        throw new VerbsException("ibv_create_cq", VerbsException.EINVAL, "Invalid argument");
      }
      SoftChannel soft = (SoftChannel) get(channel);
      return add("queue", new SoftQueue(this, objects.size() + 1L, entries, soft));
    }
  }

  @Override
  public void destroyQueue(long queue) {
    synchronized (fabric) {
      SoftQueue soft = (SoftQueue) get(queue);
      if (soft.users > 0 || soft.unacknowledged > 0) {
        fabric.violated(
            "a queue was destroyed with %d pairs and %d events (errno %d)"
                .formatted(soft.users, soft.unacknowledged, EBUSY));
      }
      remove("queue", queue);
    }
  }

  @Override
  public void acknowledgeEvents(long queue, int count) {
    synchronized (fabric) {
      ((SoftQueue) get(queue)).unacknowledged -= count;
    }
  }

  @Override
  public int requestEvent(long queue) {
    synchronized (fabric) {
      ((SoftQueue) get(queue)).arm();
      return 0;
    }
  }

  @Override
  public int poll(long queue, int most, long completions) {
    SoftQueue soft = (SoftQueue) objects.get((int) queue - 1);
    if (!fabric.delays() && soft.isEmpty()) {
      return 0; // so that ranks that spin do not stand in each other's way
    }
    synchronized (fabric) {
      if (fabric.delays()) {
        fabric.advance(false);
      }
      return soft.isOverrun() ? -5 : soft.take(most, completions);
    }
  }

  @Override
  public QueuePair createPair(long domain, QueuePairOptions options) {
    synchronized (fabric) {
      get(domain);
      SoftQueue send = (SoftQueue) get(options.sendQueue());
      SoftQueue receive = (SoftQueue) get(options.receiveQueue());
      SoftPair pair = new SoftPair(this, objects.size() + 1L, send, receive, options);
      add("pair", pair);
      return pair.handle();
    }
  }

  private SoftPair pair(QueuePair pair) {
    return (SoftPair) get(pair.handle());
  }

  private static void check(boolean fine) throws VerbsException {
    if (!fine) {
      throw new VerbsException("ibv_modify_qp", VerbsException.EINVAL, "Invalid argument");
    }
  }

  @Override
  public void toInitialized(QueuePair pair, int port, int access) throws VerbsException {
    synchronized (fabric) {
      check(port == 1 && pair(pair).initialize(access));
    }
  }

  @Override
  public void toReadyToReceive(QueuePair pair, PairRoute route) throws VerbsException {
    synchronized (fabric) {
      // On Ethernet there is no way without a global header.
      check(route.global() && route.remoteGid().exists() && route.gidIndex() < 3);
      check(pair(pair).readyToReceive(route));
    }
  }

  @Override
  public void toReadyToSend(QueuePair pair, PairTimers timers) throws VerbsException {
    synchronized (fabric) {
      check(timers.retries() <= 7 && timers.timeout() <= 31);
      check(pair(pair).readyToSend(timers));
    }
  }

  @Override
  public void toError(QueuePair pair) {
    synchronized (fabric) {
      pair(pair).fail();
    }
  }

  @Override
  public void destroyPair(QueuePair pair) {
    synchronized (fabric) {
      pair(pair).destroy();
      remove("pair", pair.handle());
    }
  }

  @Override
  public int postSend(QueuePair pair, long first, long refused) {
    synchronized (fabric) {
      doorbells++;
      return pair(pair).postSend(first, refused);
    }
  }

  @Override
  public int postReceive(QueuePair pair, long first, long refused) {
    synchronized (fabric) {
      return pair(pair).postReceive(first, refused);
    }
  }

  @Override
  public String statusText(int status) {
    return WorkStatus.of(status).name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
  }

  @Override
  public String eventText(int type) {
    return "event of type " + type;
  }
}
