package io.jgloo;

import io.jgloo.collectives.CostModel;
import io.jgloo.collectives.execution.Dialect;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.transport.Address;
import io.jgloo.transport.Device;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.ProtocolException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rank that listens and is then given the addresses of the others: for jobs that have their own
 * way to exchange a line of text, such as the {@code allGather} of a Spark barrier stage.
 *
 * <pre>{@code
 * OpenRank open = ProcessGroup.builder().rank(rank).size(size).open();
 * String[] all = context.allGather(open.address());
 * ProcessGroup group = open.connect(List.of(all));
 * }</pre>
 *
 * <p>It listens from the start, so no port has to be guessed, or freed and taken again.
 *
 * <p><em>Threads</em>: one. <em>Owns</em>: until it is connected, what was opened for it; from then
 * on the group does.
 */
public final class OpenRank implements AutoCloseable {

  private final Mesh mesh;
  private final Device device;
  private final Duration timeout;
  private final Duration connectTimeout;
  private final CostModel costs;
  private final @Nullable Path dumpDirectory;
  private final @Nullable Store store;
  private final List<AutoCloseable> opened;
  private boolean connected;

  OpenRank(
      Membership membership,
      Device device,
      boolean ownsDevice,
      Duration timeout,
      Duration connectTimeout,
      CostModel costs,
      @Nullable Path dumpDirectory,
      @Nullable Store store) {
    this.dumpDirectory = dumpDirectory;
    this.store = store;
    this.device = device;
    this.timeout = timeout;
    this.connectTimeout = connectTimeout;
    this.costs = costs;
    opened = new ArrayList<>();
    if (ownsDevice) {
      opened.add(device);
    }
    boolean made = false;
    try {
      mesh = device.newMesh(membership);
      opened.add(0, mesh);
      made = true;
    } finally {
      if (!made) {
        Connection.closeAll(opened);
      }
    }
  }

  /** Where this rank is, in letters and digits, for the others' {@link #connect}. */
  public String address() {
    return encode(mesh.address());
  }

  /**
   * Connects to all ranks.
   *
   * @param addresses what {@link #address} says at each rank, by rank
   * @throws IllegalArgumentException if they are not one address for each rank
   * @throws io.jgloo.transport.JGlooException as {@link Mesh#connect}; nothing is left open
   */
  public ProcessGroup connect(List<String> addresses) {
    if (connected) {
      throw new IllegalStateException("this rank has been connected");
    }
    List<Address> all = decode(addresses);
    if (!all.get(mesh.membership().rank()).equals(mesh.address())) {
      throw new IllegalArgumentException(
          "addresses must hold this rank's own at " + mesh.membership().rank() + ", hold " + all);
    }
    boolean done = false;
    try {
      mesh.connect(all, connectTimeout);
      done = true;
    } finally {
      if (!done) {
        Connection.closeAll(opened);
      }
    }
    connected = true;
    List<AutoCloseable> others = opened.subList(1, opened.size());
    Dialect dialect = Connection.dialect(mesh.wire());
    Connection connection = new Connection(mesh, device, timeout, others, costs, dialect);
    if (store != null) {
      connection.from(new Connection.Origin(store, all));
    }
    return new ProcessGroup(connection.dumpTo(dumpDirectory), CallOptions.DEFAULTS);
  }

  private List<Address> decode(List<String> addresses) {
    if (Arguments.present("addresses", addresses).size() != mesh.membership().size()) {
      throw new IllegalArgumentException(
          "addresses must be one for each of "
              + mesh.membership().size()
              + " ranks, are "
              + addresses.size());
    }
    List<Address> all = new ArrayList<>();
    for (int rank = 0; rank < addresses.size(); rank++) {
      try {
        all.add(Address.decode(Base64.getUrlDecoder().decode(addresses.get(rank).strip())));
      } catch (IllegalArgumentException | ProtocolException e) {
        throw new IllegalArgumentException(
            "addresses hold at " + rank + " what is no address: " + addresses.get(rank), e);
      }
    }
    return all;
  }

  private static String encode(Address address) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(address.encode());
  }

  /** Gives up; a group that was connected is not touched. */
  @Override
  public void close() {
    if (!connected) {
      connected = true;
      Connection.closeAll(opened);
    }
  }
}
