package io.jgloo.bench.foreign;

import io.jgloo.GroupBuilder;
import io.jgloo.ProcessGroup;
import io.jgloo.rendezvous.Context;
import io.jgloo.rendezvous.ContextFactory;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.PrefixStore;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.Mesh;
import java.time.Duration;
import java.util.Map;

/**
 * Which rank of a foreign job this is, and where that meets.
 *
 * @param store as {@link Stores} reads it; a folder is in C++ Gloo's format unless its URL says
 *     more
 * @param prefix what the job's own prefix store is called, empty for none; of PyTorch's ranks all
 *     of their keys' prefix, empty for that of the default group
 * @param pytorch whether the others are PyTorch's, which number their calls
 * @param attributes of the TCP device, its wire among them
 */
public record ForeignRank(
    int rank,
    int size,
    String store,
    String prefix,
    boolean pytorch,
    Map<String, String> attributes,
    Duration timeout) {

  private static final String TCP = "tcp";

  /** What is done with the group. */
  @FunctionalInterface
  public interface Task<E extends Exception> {
    /** Does it. */
    void run(ProcessGroup group) throws E;
  }

  /** Joins the job, does the task, and leaves. */
  public <E extends Exception> void run(Task<E> task) throws E {
    try (Store meeting = Stores.open(url(), rank, size, timeout);
        ProcessGroup group = connect(meeting)) {
      task.run(group);
    }
  }

  /** The same on a second mesh, made over the first without the store. */
  public <E extends Exception> void runCloned(Task<E> task) throws E {
    try (Store meeting = Stores.open(url(), rank, size, timeout);
        Device device = Devices.open(TCP, DeviceOptions.of(attributes));
        Context context = new Context(rank, size);
        Mesh mesh = cloned(context.connectFullMesh(prefixed(meeting), device), device);
        ProcessGroup group = ProcessGroup.over(mesh, timeout)) {
      task.run(group);
    }
  }

  private Mesh cloned(Mesh mesh, Device device) {
    return new ContextFactory(mesh, 0).makeMesh(device, timeout);
  }

  private Store prefixed(Store meeting) {
    return prefix.isEmpty() ? meeting : new PrefixStore(prefix, meeting);
  }

  private ProcessGroup connect(Store meeting) {
    GroupBuilder builder =
        ProcessGroup.builder()
            .rank(rank)
            .size(size)
            .device(TCP, DeviceOptions.of(attributes))
            .timeout(timeout)
            .connectTimeout(timeout);
    if (pytorch) {
      return (prefix.isEmpty() ? builder.pytorch() : builder.pytorch(prefix))
          .store(meeting)
          .connect();
    }
    return builder.store(prefixed(meeting)).connect();
  }

  private String url() {
    boolean bare = store.startsWith("file://") && store.indexOf('?') < 0;
    return bare ? store + (pytorch ? "?format=pytorch" : "?format=gloo") : store;
  }
}
