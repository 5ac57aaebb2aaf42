package io.jgloo.transport.ibverbs.verbs;

import io.jgloo.transport.memory.Memory;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The verbs of this machine's libibverbs.
 *
 * <p>Handles are addresses of the C objects, but for a channel ({@link NativeChannel}). What a call
 * needs beside numbers lies in native memory, so nothing is wrapped or copied on the way.
 *
 * <p><i>Threads</i>: any; a channel is awaited by one at a time.
 */
final class NativeVerbs implements Verbs {

  private static final Logger LOG = System.getLogger(NativeVerbs.class.getName());

  private static final int GID_BYTES = 16;
  private static final int RELIABLE_CONNECTION = 2;

  @Override
  public List<String> devices() throws VerbsException {
    int[] count = new int[1];
    long list = deviceList(count);
    try {
      List<String> names = new ArrayList<>(count[0]);
      for (int i = 0; i < count[0]; i++) {
        names.add(name(Memory.getLong(list + (long) i * Long.BYTES)));
      }
      return names;
    } finally {
      Libibverbs.ibv_free_device_list(list);
    }
  }

  private static long deviceList(int[] count) throws VerbsException {
    long list = Libibverbs.ibv_get_device_list(count);
    if (list == 0) {
      throw Libibverbs.lastError("ibv_get_device_list");
    }
    return list;
  }

  private static String name(long device) {
    return Libibverbs.text(Libibverbs.ibv_get_device_name(device));
  }

  @Override
  public long open(String device) throws VerbsException {
    int[] count = new int[1];
    long list = deviceList(count);
    try {
      for (int i = 0; i < count[0]; i++) {
        long candidate = Memory.getLong(list + (long) i * Long.BYTES);
        if (name(candidate).equals(device)) {
          return open(candidate);
        }
      }
    } finally {
      Libibverbs.ibv_free_device_list(list);
    }
    throw Libibverbs.error("ibv_open_device of " + device, VerbsException.ENODEV);
  }

  private static long open(long device) throws VerbsException {
    long context = Libibverbs.ibv_open_device(device);
    if (context == 0) {
      throw Libibverbs.lastError("ibv_open_device of " + name(device));
    }
    try {
      NativeChannel.doNotBlock(Memory.getInt(context + Layout.CONTEXT_ASYNC_FILE));
      return context;
    } catch (VerbsException e) {
      Libibverbs.ibv_close_device(context);
      throw e;
    }
  }

  @Override
  public void close(long context) {
    log("ibv_close_device", Libibverbs.ibv_close_device(context));
  }

  @Override
  public DeviceLimits queryDevice(long context) throws VerbsException {
    try (Scratch attributes = Scratch.of(Layout.DEVICE_BYTES)) {
      long at = attributes.at();
      check("ibv_query_device", Libibverbs.ibv_query_device(context, at));
      return new DeviceLimits(
          unsigned(Memory.getLong(at + Layout.DEVICE_MAX_REGION)),
          Memory.getInt(at + Layout.DEVICE_MAX_PAIRS),
          Memory.getInt(at + Layout.DEVICE_MAX_REQUESTS),
          Memory.getInt(at + Layout.DEVICE_MAX_RANGES),
          Memory.getInt(at + Layout.DEVICE_MAX_ENTRIES),
          Memory.getInt(at + Layout.DEVICE_MAX_REGIONS),
          Memory.getInt(at + Layout.DEVICE_MAX_READS_TARGET),
          Memory.getInt(at + Layout.DEVICE_MAX_READS_ORIGIN));
    }
  }

  /**
   * The exported function fills a shorter structure than C callers see, which ends with the last
   * member read here.
   */
  @Override
  public PortState queryPort(long context, int port) throws VerbsException {
    try (Scratch attributes = Scratch.of(Layout.PORT_BYTES)) {
      long at = attributes.at();
      check("ibv_query_port", Libibverbs.ibv_query_port(context, (byte) port, at));
      return new PortState(
          Memory.getInt(at + Layout.PORT_STATE),
          Memory.getInt(at + Layout.PORT_MAX_MTU),
          Memory.getInt(at + Layout.PORT_ACTIVE_MTU),
          Memory.getInt(at + Layout.PORT_GIDS),
          Integer.toUnsignedLong(Memory.getInt(at + Layout.PORT_MAX_MESSAGE)),
          Short.toUnsignedInt(Memory.getShort(at + Layout.PORT_LID)),
          Memory.getByte(at + Layout.PORT_LINK_LAYER));
    }
  }

  @Override
  public Gid queryGid(long context, int port, int index) throws VerbsException {
    try (Scratch gid = Scratch.of(GID_BYTES)) {
      if (Libibverbs.ibv_query_gid(context, (byte) port, index, gid.at()) != 0) {
        throw Libibverbs.lastError("ibv_query_gid " + index);
      }
      long high = PairAttributes.swapped(Memory.getLong(gid.at()));
      long low = PairAttributes.swapped(Memory.getLong(gid.at() + Long.BYTES));
      if (high == 0 && low == 0) {
        return Gid
            .ABSENT; // not asked for its type: Soft-RoCE has 1024 entries, two or three in use
      }
      String device = name(Memory.getLong(context + Layout.CONTEXT_DEVICE));
      return new Gid(high, low, gidType(device, port, index));
    }
  }

  /**
   * From the file libibverbs reads it from too, whose own function for it is not in every version.
   */
  private static Gid.Type gidType(String device, int port, int index) {
    Path file =
        Path.of("/sys/class/infiniband", device, "ports", Integer.toString(port))
            .resolve("gid_attrs/types")
            .resolve(Integer.toString(index));
    try {
      return switch (Files.readString(file).trim()) {
        case "IB/RoCE v1" -> Gid.Type.ROCE_1;
        case "RoCE v2" -> Gid.Type.ROCE_2;
        default -> Gid.Type.UNKNOWN;
      };
    } catch (IOException e) {
      LOG.log(Level.TRACE, "no type of GID {0} of {1}: {2}", index, device, e);
      return Gid.Type.UNKNOWN;
    }
  }

  @Override
  public AsyncEvent nextAsyncEvent(long context) throws VerbsException {
    try (Scratch event = Scratch.of(Layout.EVENT_BYTES)) {
      if (Libibverbs.ibv_get_async_event(context, event.at()) != 0) {
        int errno = Libibverbs.errno();
        if (errno == VerbsException.EAGAIN || errno == Libibverbs.EINTR) {
          return null;
        }
        throw Libibverbs.error("ibv_get_async_event", errno);
      }
      AsyncEvent found =
          new AsyncEvent(
              Memory.getInt(event.at() + Layout.EVENT_TYPE),
              Memory.getLong(event.at() + Layout.EVENT_ELEMENT));
      Libibverbs.ibv_ack_async_event(event.at());
      return found;
    }
  }

  @Override
  public long allocateDomain(long context) throws VerbsException {
    return made("ibv_alloc_pd", Libibverbs.ibv_alloc_pd(context));
  }

  @Override
  public void deallocateDomain(long domain) {
    log("ibv_dealloc_pd", Libibverbs.ibv_dealloc_pd(domain));
  }

  @Override
  public MemoryRegion register(long domain, long address, long length, int access)
      throws VerbsException {
    long region = Libibverbs.ibv_reg_mr(domain, address, length, access);
    if (region == 0) {
      throw Libibverbs.lastError("ibv_reg_mr of " + length + " bytes");
    }
    return new MemoryRegion(
        region,
        address,
        length,
        Memory.getInt(region + Layout.REGION_LOCAL_KEY),
        Memory.getInt(region + Layout.REGION_REMOTE_KEY));
  }

  @Override
  public void deregister(MemoryRegion region) {
    log("ibv_dereg_mr", Libibverbs.ibv_dereg_mr(region.handle()));
  }

  @Override
  public long lockedMemoryLimitBytes() {
    try (Scratch limits = Scratch.of(2 * Long.BYTES)) {
      if (Libibverbs.getrlimit(Libibverbs.RLIMIT_MEMLOCK, limits.at()) != 0) {
        return Long.MAX_VALUE; // fails for a wrong address only
      }
      return unsigned(Memory.getLong(limits.at()));
    }
  }

  @Override
  public long createChannel(long context) throws VerbsException {
    return NativeChannel.create(context);
  }

  @Override
  public void destroyChannel(long channel) {
    log("ibv_destroy_comp_channel", NativeChannel.destroy(channel));
  }

  @Override
  public int awaitEvent(long channel, long timeoutNanos) {
    return NativeChannel.await(channel, timeoutNanos);
  }

  @Override
  public void wakeup(long channel) {
    NativeChannel.wakeup(channel);
  }

  @Override
  public int takeEvent(long channel) {
    return NativeChannel.take(channel);
  }

  @Override
  public long createQueue(long context, int entries, long channel) throws VerbsException {
    long object = NativeChannel.object(channel);
    return made(
        "ibv_create_cq of " + entries + " entries",
        Libibverbs.ibv_create_cq(context, entries, 0, object, 0));
  }

  @Override
  public void destroyQueue(long queue) {
    log("ibv_destroy_cq", Libibverbs.ibv_destroy_cq(queue));
  }

  @Override
  public void acknowledgeEvents(long queue, int count) {
    Libibverbs.ibv_ack_cq_events(queue, count);
  }

  @Override
  public int requestEvent(long queue) {
    return DriverCalls.requestEvent(queue);
  }

  @Override
  public int poll(long queue, int most, long completions) {
    return DriverCalls.poll(queue, most, completions);
  }

  @Override
  public QueuePair createPair(long domain, QueuePairOptions options) throws VerbsException {
    try (Scratch attributes = Scratch.of(Layout.INIT_BYTES)) {
      for (int inline = options.inlineBytes(); ; inline /= 2) {
        fill(attributes.at(), options, inline);
        long pair = Libibverbs.ibv_create_qp(domain, attributes.at());
        if (pair != 0) {
          return new QueuePair(
              pair,
              Memory.getInt(pair + Layout.PAIR_NUMBER),
              Memory.getInt(attributes.at() + Layout.INIT_INLINE));
        }
        VerbsException refused = Libibverbs.lastError("ibv_create_qp with " + options);
        if (inline == 0 || refused.errno() != VerbsException.EINVAL) {
          throw refused;
        }
      }
    }
  }

  private static void fill(long at, QueuePairOptions options, int inline) {
    Memory.putLong(at + Layout.INIT_SEND_QUEUE, options.sendQueue());
    Memory.putLong(at + Layout.INIT_RECEIVE_QUEUE, options.receiveQueue());
    Memory.putInt(at + Layout.INIT_SENDS, options.sends());
    Memory.putInt(at + Layout.INIT_RECEIVES, options.receives());
    Memory.putInt(at + Layout.INIT_SEND_RANGES, options.sendRanges());
    Memory.putInt(at + Layout.INIT_RECEIVE_RANGES, options.receiveRanges());
    Memory.putInt(at + Layout.INIT_INLINE, inline);
    Memory.putInt(at + Layout.INIT_TYPE, RELIABLE_CONNECTION);
    Memory.putInt(at + Layout.INIT_SIGNAL_ALL, 0);
  }

  @Override
  public void toInitialized(QueuePair pair, int port, int access) throws VerbsException {
    PairAttributes.toInitialized(pair, port, access);
  }

  @Override
  public void toReadyToReceive(QueuePair pair, PairRoute route) throws VerbsException {
    PairAttributes.toReadyToReceive(pair, route);
  }

  @Override
  public void toReadyToSend(QueuePair pair, PairTimers timers) throws VerbsException {
    PairAttributes.toReadyToSend(pair, timers);
  }

  @Override
  public void toError(QueuePair pair) throws VerbsException {
    PairAttributes.toError(pair);
  }

  @Override
  public void destroyPair(QueuePair pair) {
    log("ibv_destroy_qp", Libibverbs.ibv_destroy_qp(pair.handle()));
  }

  @Override
  public int postSend(QueuePair pair, long first, long refused) {
    return DriverCalls.postSend(pair.handle(), first, refused);
  }

  @Override
  public int postReceive(QueuePair pair, long first, long refused) {
    return DriverCalls.postReceive(pair.handle(), first, refused);
  }

  @Override
  public String statusText(int status) {
    return Libibverbs.text(Libibverbs.ibv_wc_status_str(status));
  }

  @Override
  public String eventText(int type) {
    return Libibverbs.text(Libibverbs.ibv_event_type_str(type));
  }

  /** An unsigned number as far as a long goes; all ones is C's word for no limit. */
  private static long unsigned(long value) {
    return value < 0 ? Long.MAX_VALUE : value;
  }

  private static long made(String call, long object) throws VerbsException {
    if (object == 0) {
      throw Libibverbs.lastError(call);
    }
    return object;
  }

  private static void check(String call, int errno) throws VerbsException {
    if (errno != 0) {
      throw Libibverbs.error(call, errno);
    }
  }

  private static void log(String call, int errno) {
    if (errno != 0) {
      LOG.log(Level.WARNING, Libibverbs.error(call, errno).getMessage());
    }
  }
}
