package io.jgloo;

import io.jgloo.rendezvous.Launch;
import io.jgloo.rendezvous.store.StoreUrl;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.JobSecret;
import io.jgloo.transport.TlsOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Makes the group of a whole job from a URL, or from what its launcher has left in the environment.
 *
 * <p>All return when every rank is connected to every other, which a barrier at the end sees to: a
 * rank that is done early cannot take its store, or itself, away from those who still connect. (A
 * barrier in the store would leave its keys there, to let the next run pass.)
 */
final class Init {
  private static final String RANK = "rank";
  private static final String SIZE = "world_size";
  private static final String DUMPS = "GLOO_DUMP_DIR";

  private Init() {}

  /** By the launcher's environment. */
  static ProcessGroup fromEnvironment(Map<String, String> variables) {
    Launch launch = Launch.detect(variables);
    GroupBuilder builder = ProcessGroup.builder().rank(launch.rank()).size(launch.size());
    builder.store(launch.store()).epoch(launch.epoch());
    launch.timeout().ifPresent(builder::connectTimeout);
    onInterface(builder, launch.networkInterface());
    return connected(builder, variables);
  }

  /** By a URL; {@code env://} leaves open what the environment says, and so do negative numbers. */
  static ProcessGroup byUrl(
      String url, int rank, int size, Duration timeout, Map<String, String> variables) {
    StoreUrl parsed = StoreUrl.parse(Arguments.present("url", url));
    OptionalInt urlRank = number(parsed, RANK);
    OptionalInt urlSize = number(parsed, SIZE);
    int ownRank = agreed(RANK, rank, urlRank);
    int ownSize = agreed(SIZE, size, urlSize);
    StoreUrl store = parsed.without(RANK).without(SIZE);
    GroupBuilder builder = ProcessGroup.builder().timeout(timeout).connectTimeout(timeout);
    if (store.scheme().equals("env")) {
      Launch launch = Launch.detect(torchrun(variables, ownRank, ownSize));
      builder.rank(launch.rank()).size(launch.size()).epoch(launch.epoch());
      builder.store(launch.store());
      onInterface(builder, launch.networkInterface());
    } else {
      builder.rank(required(RANK, ownRank)).size(required(SIZE, ownSize));
      builder.store(store.text());
      onInterface(builder, Optional.ofNullable(variables.get("GLOO_SOCKET_IFNAME")));
    }
    return connected(builder, variables);
  }

  /** By hosts and ports: they meet at the first, and each is reached at its own. */
  static ProcessGroup byAddresses(int rank, List<String> addresses, Map<String, String> variables) {
    int size = Arguments.present("addresses", addresses).size();
    if (size == 0) {
      throw new IllegalArgumentException("addresses must be one for each rank, are none");
    }
    String own = addresses.get(Arguments.rank("rank", rank, size)).strip();
    int colon = own.lastIndexOf(':');
    if (colon < 1) {
      throw new IllegalArgumentException("addresses must be host:port, one is '" + own + "'");
    }
    String host = own.substring(0, colon);
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    DeviceOptions options =
        DeviceOptions.DEFAULTS.with(
            "bind", bracketed ? host.substring(1, host.length() - 1) : host);
    if (rank > 0) {
      options = options.with("port", own.substring(colon + 1)); // the first one's is the store's
    }
    GroupBuilder builder = ProcessGroup.builder().rank(rank).size(size);
    builder.store("tcp://" + addresses.get(0).strip()).device("tcp", options);
    return connected(builder, variables);
  }

  private static ProcessGroup connected(GroupBuilder builder, Map<String, String> variables) {
    JobSecret.fromEnvironment(variables).ifPresent(builder::secret);
    TlsOptions.fromEnvironment(variables).ifPresent(builder::tls);
    String dumps = variables.getOrDefault(DUMPS, "");
    if (!dumps.isBlank()) {
      builder.dumpDirectory(Path.of(dumps));
    }
    ProcessGroup group = builder.connect();
    boolean all = false;
    try {
      group.barrier();
      all = true;
      return group;
    } finally {
      if (!all) {
        group.close();
      }
    }
  }

  private static void onInterface(GroupBuilder builder, Optional<String> name) {
    name.filter(text -> !text.isBlank())
        .ifPresent(text -> builder.device("tcp", DeviceOptions.DEFAULTS.with("interface", text)));
  }

  /** PyTorch's variables alone, in which what the caller says takes the place of what is there. */
  private static Map<String, String> torchrun(Map<String, String> variables, int rank, int size) {
    Map<String, String> own = new java.util.TreeMap<>(variables);
    own.keySet().removeIf(name -> name.equals("GLOO_STORE"));
    own.put("GLOO_LAUNCHER", "torchrun");
    if (rank >= 0) {
      own.put("RANK", Integer.toString(rank));
    }
    if (size >= 0) {
      own.put("WORLD_SIZE", Integer.toString(size));
    }
    return own;
  }

  private static OptionalInt number(StoreUrl url, String name) {
    String text = url.options().get(name);
    if (text == null) {
      return OptionalInt.empty();
    }
    try {
      return OptionalInt.of(Integer.parseInt(text));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          name + " must be a number, is '" + text + "' in " + url, e);
    }
  }

  private static int agreed(String name, int argument, OptionalInt option) {
    if (argument >= 0 && option.isPresent() && option.getAsInt() != argument) {
      throw new IllegalArgumentException(
          name + " is given as " + argument + ", and as " + option.getAsInt() + " in the URL");
    }
    return argument >= 0 ? argument : option.orElse(-1);
  }

  private static int required(String name, int value) {
    if (value < 0) {
      throw new IllegalArgumentException(
          name + " must be given, as an argument or in the URL as ?" + name + "=");
    }
    return value;
  }
}
