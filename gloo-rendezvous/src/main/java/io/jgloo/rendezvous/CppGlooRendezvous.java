package io.jgloo.rendezvous;

import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreTimeoutException;
import io.jgloo.rendezvous.time.Deadline;
import io.jgloo.transport.Address;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Wire;
import io.jgloo.transport.cppgloo.CppGlooAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * One rank's attempt to connect to ranks of C++ Gloo: publishes its address, reads those of the
 * other ranks, connects.
 *
 * <p>The keys are Gloo's. They do not show ranks of another run, different sizes or duplicate
 * ranks: each mesh needs a prefix of its own, and no key is removed.
 *
 * <pre>
 *   gloo          R       {@link CppGlooRankBlob}
 *   gloo-classic  rank_R  name of the host
 *                 R       136 bytes for each other rank, in order
 * </pre>
 *
 * <p>Threads: one calls; the store executor's access the store.
 */
final class CppGlooRendezvous {
  private final Mesh mesh;
  private final Store store;
  private final StoreExecutor executor;
  private final Duration timeout;
  private final Deadline deadline;

  /**
   * @param timeout for messages
   * @param deadline when what is left of it has passed
   */
  CppGlooRendezvous(
      Mesh mesh, Store store, StoreExecutor executor, Duration timeout, Deadline deadline) {
    this.mesh = mesh;
    this.store = store;
    this.executor = executor;
    this.timeout = timeout;
    this.deadline = deadline;
  }

  /** Returns when the mesh is connected, or has started to with {@code connecting=lazy}. */
  void run() {
    boolean classic = mesh.wire() == Wire.GLOO_CLASSIC;
    List<Address> addresses = classic ? exchangeClassic() : exchange();
    mesh.connect(addresses, deadline.remaining());
  }

  private List<Address> exchange() {
    publish(Integer.toString(mesh.membership().rank()), CppGlooRankBlob.encode(mesh.address()));
    List<byte[]> blobs = read("");
    List<Address> addresses = new ArrayList<>();
    for (int rank = 0; rank < mesh.membership().size(); rank++) {
      addresses.add(CppGlooRankBlob.decode(mesh.address().device(), rank, blobs.get(rank)));
    }
    return addresses;
  }

  private List<Address> exchangeClassic() {
    Address own = mesh.address();
    publish("rank_" + mesh.membership().rank(), own.host().getBytes(StandardCharsets.UTF_8));
    if (mesh.membership().size() == 1) {
      return List.of(own); // C++ publishes an empty value, which no store of files can hold
    }
    publish(Integer.toString(mesh.membership().rank()), own.payload());
    List<byte[]> payloads = read("");
    List<byte[]> hosts = read("rank_");
    List<Address> addresses = new ArrayList<>();
    for (int rank = 0; rank < mesh.membership().size(); rank++) {
      byte[] payload = payloads.get(rank);
      if (payload.length != own.payload().length) {
        throw new WorldSizeMismatchException(
            ("rank " + rank + " has stored " + payload.length + " bytes of addresses,")
                + (" this rank " + own.payload().length + ", " + CppGlooAddress.BYTES)
                + " for each other rank: the ranks have different sizes",
            mesh.membership().size(),
            payload.length / CppGlooAddress.BYTES + 1);
      }
      String host = new String(hosts.get(rank), StandardCharsets.UTF_8);
      addresses.add(CppGlooRankBlob.address(own.device(), host, payload));
    }
    return addresses;
  }

  private void publish(String key, byte[] value) {
    executor.call(
        "publish an address",
        storeDeadline(),
        () -> {
          store.set(key, value);
          return null;
        });
  }

  private List<byte[]> read(String before) {
    List<String> keys =
        IntStream.range(0, mesh.membership().size()).mapToObj(rank -> before + rank).toList();
    try {
      return executor.call(
          "read addresses", storeDeadline(), () -> store.multiGet(keys, deadline.remaining()));
    } catch (StoreTimeoutException e) {
      throw timedOut(e, keys);
    }
  }

  /** The deadline of a store operation that begins now, even if the store waits for ranks. */
  private Deadline storeDeadline() {
    return deadline.orAtLeast(Duration.ZERO).later(Rendezvous.GRACE);
  }

  private RendezvousTimeoutException timedOut(StoreTimeoutException cause, List<String> keys) {
    TreeSet<Integer> missing = new TreeSet<>();
    for (int rank = 0; rank < keys.size(); rank++) {
      String key = keys.get(rank);
      // The store names keys with all prefixes.
      if (cause.keys().stream().anyMatch(full -> full.equals(key) || full.endsWith("/" + key))) {
        missing.add(rank);
      }
    }
    String message =
        String.format(
            "rank %d of %d in %s: ranks %s did not join within %d ms",
            mesh.membership().rank(),
            mesh.membership().size(),
            mesh.membership().group(),
            Membership.list(missing),
            Deadline.millis(timeout));
    return new RendezvousTimeoutException(message, missing, cause);
  }
}
