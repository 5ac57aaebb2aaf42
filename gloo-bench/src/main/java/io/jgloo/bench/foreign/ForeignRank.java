package io.jgloo.bench.foreign;

import io.jgloo.ProcessGroup;
import io.jgloo.rendezvous.PrefixStore;
import io.jgloo.rendezvous.Store;
import io.jgloo.rendezvous.Stores;
import io.jgloo.transport.DeviceOptions;
import java.time.Duration;
import java.util.Map;

/**
 * Which rank of a foreign job this is, and where that meets.
 *
 * @param store as {@link Stores} reads it; a folder is in C++ Gloo's format unless its URL says
 *     more
 * @param prefix what the job's own prefix store is called, empty for none
 * @param attributes of the TCP device, its wire among them
 */
public record ForeignRank(
    int rank,
    int size,
    String store,
    String prefix,
    Map<String, String> attributes,
    Duration timeout) {

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

  private ProcessGroup connect(Store meeting) {
    return ProcessGroup.builder()
        .rank(rank)
        .size(size)
        .store(prefix.isEmpty() ? meeting : new PrefixStore(prefix, meeting))
        .device("tcp", DeviceOptions.of(attributes))
        .timeout(timeout)
        .connectTimeout(timeout)
        .connect();
  }

  private String url() {
    return store.startsWith("file://") && store.indexOf('?') < 0 ? store + "?format=gloo" : store;
  }
}
