package io.jgloo.bench;

import io.jgloo.bench.operation.Operation;
import io.jgloo.bench.operation.Workload;
import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.algorithm.Algorithms;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Makes settings of a command line, or says which option makes no sense with which value.
 *
 * <p><em>Fails</em>: {@link IllegalArgumentException} throughout.
 */
final class SettingsReader {

  static final String ALL = "all";

  /** Devices that open TCP connections, on the interface they are told. */
  private static final Set<String> ON_TCP = Set.of("tcp", "ibverbs");

  private static final int MOST_RANKS = 1024;
  private static final long LONGEST_ARRAY_BYTES = Integer.MAX_VALUE - 8;

  private final Options options;
  private final List<Operation> table;

  SettingsReader(Options options, List<Operation> table) {
    this.options = options;
    this.table = table;
  }

  Settings read() {
    checkRanks();
    int ranks = ranks();
    DataType type = type();
    ReduceOp op = op();
    List<Operation> operations = operations(ranks, op);
    return new Settings(
        operations,
        ranks,
        options.ranks.threads ? "threads" : "processes",
        counts(type),
        work(type, op, operations, ranks),
        count("--iters", options.measure.iterations, 1),
        count("--warmup", options.measure.warmup, 0),
        timeout(),
        Optional.ofNullable(options.output.hdr),
        Optional.ofNullable(options.output.dump),
        options.network.device,
        deviceOptions());
  }

  private void checkRanks() {
    Options.Ranks given = options.ranks;
    boolean member = given.rank != null || given.size != null || given.store != null;
    if (member && (given.local != null || given.threads)) {
      throw new IllegalArgumentException(
          "--ranks and --threads start ranks here, --rank, --size and --store join ranks started"
              + " elsewhere: choose one");
    }
    if (member) {
      require(given.rank != null, "--rank is missing beside --size and --store");
      require(given.size != null, "--size is missing beside --rank and --store");
      require(given.store != null, "--store is missing beside --rank and --size");
      require(given.size >= 1, "--size must be at least 1, but is " + given.size);
      require(
          given.rank >= 0 && given.rank < given.size,
          "--rank must be 0 to " + (given.size - 1) + ", but is " + given.rank);
    }
  }

  private int ranks() {
    if (options.ranks.size != null) {
      return options.ranks.size;
    }
    int ranks = options.ranks.local == null ? 2 : options.ranks.local;
    require(
        ranks >= 1 && ranks <= MOST_RANKS,
        "--ranks must be 1 to " + MOST_RANKS + ", but is " + ranks);
    return ranks;
  }

  private List<Operation> operations(int ranks, ReduceOp op) {
    if (options.operation.equals(ALL)) {
      return table.stream()
          .filter(each -> each.amongAll() && each.leastRanks() <= ranks && each.accepts(op))
          .toList();
    }
    Operation operation =
        table.stream()
            .filter(each -> each.name().equals(options.operation))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException(unknownOperation()));
    require(
        operation.leastRanks() <= ranks,
        operation.name() + " takes " + operation.leastRanks() + " ranks, but there is " + ranks);
    require(operation.accepts(op), "--op " + op + " has no meaning in a " + operation.name());
    return List.of(operation);
  }

  private String unknownOperation() {
    return "OP is '"
        + options.operation
        + "', but must be one of "
        + String.join(", ", table.stream().map(Operation::name).toList())
        + " or "
        + ALL;
  }

  private DataType type() {
    for (DataType type : DataType.values()) {
      if (lower(type).equals(options.work.type)) {
        return type;
      }
    }
    throw new IllegalArgumentException(
        "--dtype is '"
            + options.work.type
            + "', but must be one of "
            + String.join(
                ", ", Arrays.stream(DataType.values()).map(SettingsReader::lower).toList()));
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private List<Long> counts(DataType type) {
    Options.Measure given = options.measure;
    require(given.factor >= 2, "--factor must be at least 2, but is " + given.factor);
    require(
        given.max >= given.min,
        "--max must be at least --min, " + given.min + ", but is " + given.max);
    List<Long> sizes =
        given.sizes != null ? given.sizes : ByteSize.sweep(given.min, given.max, given.factor);
    long most = sizes.stream().mapToLong(Long::longValue).max().orElse(0);
    require(
        !options.work.memory.equals("heap") || most <= LONGEST_ARRAY_BYTES,
        (given.sizes != null ? "--sizes has " : "--max is ")
            + most
            + ", more than an array can hold; --memory direct can");
    return sizes.stream().map(bytes -> Math.max(1, bytes / type.bytes())).distinct().toList();
  }

  private ReduceOp op() {
    String name = options.work.op;
    ReduceOp op;
    try {
      op = ReduceOp.named(name);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--op is '" + name + "', but must be one of " + ReduceOp.builtIn(), e);
    }
    require(
        op.factor().isEmpty() || isPowerOfTwo(op.factor().getAsDouble()),
        "--op is '"
            + name
            + "', but results are compared to the bit, so its factor must be a power of two");
    return op;
  }

  private Workload work(DataType type, ReduceOp op, List<Operation> operations, int ranks) {
    Options.Work given = options.work;
    require(
        op.appliesTo(type) || operations.stream().noneMatch(Operation::reduces),
        "--op " + op + " has no meaning on --dtype " + lower(type));
    require(
        given.root >= 0 && given.root < ranks,
        "--root must be 0 to " + (ranks - 1) + ", but is " + given.root);
    require(
        given.memory.equals("direct") || given.memory.equals("heap"),
        "--memory is '" + given.memory + "', but must be direct or heap");
    require(
        !(given.inPlace && given.outOfPlace), "--in-place and --out-of-place exclude each other");
    return new Workload(
        type, op, given.root, algorithm(operations), given.inPlace, given.memory.equals("heap"));
  }

  private static boolean isPowerOfTwo(double factor) {
    return factor == Math.scalb(1.0, Math.getExponent(factor))
        && Math.abs(Math.getExponent(factor)) < 5;
  }

  private Optional<String> algorithm(List<Operation> operations) {
    String name = options.work.algorithm;
    List<Collective> collectives =
        operations.stream().flatMap(each -> each.collective().stream()).toList();
    List<String> known =
        collectives.stream()
            .flatMap(each -> Algorithms.of(each).stream())
            .map(Algorithm::name)
            .distinct()
            .toList();
    if (name != null && !known.contains(name)) {
      throw new IllegalArgumentException(
          "--algorithm is '"
              + name
              + "', but "
              + options.operation
              + (known.isEmpty() ? " has none to choose" : " has " + String.join(", ", known)));
    }
    return Optional.ofNullable(name);
  }

  private static OptionalInt count(String option, Integer value, int least) {
    if (value == null) {
      return OptionalInt.empty();
    }
    require(value >= least, option + " must be at least " + least + ", but is " + value);
    return OptionalInt.of(value);
  }

  private Duration timeout() {
    int seconds = options.measure.timeout;
    require(seconds >= 1, "--timeout must be at least 1, but is " + seconds);
    return Duration.ofSeconds(seconds);
  }

  private Map<String, String> deviceOptions() {
    Options.Network given = options.network;
    Map<String, String> attributes = new LinkedHashMap<>(given.options);
    if (given.memoryRoute != null) {
      require(
          given.device.equals("tcp"),
          "--memory-route is for --device tcp, but the device is " + given.device);
      attributes.put("memory", given.memoryRoute);
    }
    if (given.interfaceName != null) {
      attributes.put("interface", given.interfaceName);
    } else if (options.ranks.size == null
        && ON_TCP.contains(given.device)
        && !attributes.containsKey("interface")
        && !attributes.containsKey("bind")) {
      attributes.put("interface", loopback());
    }
    return attributes;
  }

  private static String loopback() {
    try {
      return NetworkInterface.networkInterfaces()
          .filter(SettingsReader::isLoopback)
          .map(NetworkInterface::getName)
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException("there is no loopback interface; use --interface"));
    } catch (SocketException e) {
      throw new IllegalArgumentException("cannot list interfaces; use --interface", e);
    }
  }

  private static boolean isLoopback(NetworkInterface each) {
    try {
      return each.isLoopback() && each.isUp();
    } catch (SocketException e) {
      return false; // it has gone meanwhile
    }
  }

  private static void require(boolean good, String message) {
    if (!good) {
      throw new IllegalArgumentException(message);
    }
  }
}
