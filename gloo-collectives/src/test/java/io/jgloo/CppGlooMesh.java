package io.jgloo;

import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.rendezvous.store.PrefixStore;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A group on one of Gloo's wires whose ranks are threads of the test, each with its own device. */
final class CppGlooMesh implements AutoCloseable {

  /**
   * Not that of the other tests, which dial ports of it at which no process listens any more:
   * classic Gloo takes the first connection at a port for its peer's.
   */
  private static final String ADDRESS = "127.0.0.72";

  private final List<ProcessGroup> groups = new ArrayList<>();

  CppGlooMesh(Wire wire, int size) {
    this(size, Duration.ofSeconds(30), builder -> builder.wire(wire));
  }

  CppGlooMesh(int size, Duration timeout, Consumer<GroupBuilder> more) {
    Store store = new PrefixStore("mesh", new HashStore());
    List<CompletableFuture<ProcessGroup>> connecting = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      GroupBuilder builder = ProcessGroup.builder().rank(rank).size(size).store(store);
      builder.device("tcp", DeviceOptions.DEFAULTS.with("bind", ADDRESS));
      more.accept(builder.timeout(timeout).connectTimeout(Duration.ofSeconds(30)));
      connecting.add(Ranks.inThread(builder::connect));
    }
    connecting.forEach(each -> groups.add(Ranks.patiently(each)));
  }

  ProcessGroup group(int rank) {
    return groups.get(rank);
  }

  /** Every rank does this; none may fail. */
  void each(Ranks.Body body) {
    int rank = 0;
    for (Throwable failure : outcomes(body)) {
      if (failure != null) {
        throw new AssertionError("rank " + rank + ": " + failure, failure);
      }
      rank++;
    }
  }

  /** Every rank does this; what each failed with, or null. */
  List<Throwable> outcomes(Ranks.Body body) {
    List<CompletableFuture<Throwable>> running = new ArrayList<>();
    for (int rank = 0; rank < groups.size(); rank++) {
      int own = rank;
      running.add(
          Ranks.inThread(
              () -> {
                try {
                  body.run(groups.get(own), own);
                  return null;
                } catch (Throwable e) {
                  return e;
                }
              }));
    }
    return running.stream().map(Ranks::patiently).toList();
  }

  @Override
  public void close() {
    groups.forEach(ProcessGroup::close);
  }
}
