package io.jgloo.bench;

import static io.jgloo.bench.command.Commands.require;

import io.jgloo.bench.operation.Operation;
import io.jgloo.bench.operation.Vector;
import io.jgloo.bench.operation.Workload;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Makes settings of a command line, or says which option has no meaning with which value.
 *
 * <p><em>Fails</em>: {@link IllegalArgumentException} throughout.
 */
final class SettingsReader {

  static final String ALL = "all";

  /** Devices that open TCP connections, on the interface they are given. */
  private static final Set<String> ON_TCP = Set.of("tcp", "ibverbs");

  private static final int MOST_RANKS = 1024;
  private static final long LEAST_BYTES = 4;
  private static final long MOST_BYTES = 64 << 20;
  private static final int FACTOR = 4;
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
    int processes = processes(ranks);
    DataType type = type();
    ReduceOp op = op();
    List<Operation> operations = operations(ranks, op);
    return new Settings(
        operations,
        ranks,
        processes,
        mode(ranks, processes),
        counts(type),
        work(type, op, operations, ranks),
        count("--iters", options.measure.iterations, 1),
        count("--warmup", options.measure.warmup, 0),
        timeout(),
        Optional.ofNullable(options.output.hdr),
        Optional.ofNullable(options.output.dump),
        options.network.device,
        deviceOptions(),
        hosts(ranks));
  }

  private void checkRanks() {
    Options.Ranks given = options.ranks;
    boolean member = given.rank != null || given.size != null || given.store != null;
    boolean local = given.local != null || given.threads || given.processes != null;
    require(
        !(member && local),
        "--ranks, --threads and --processes start ranks here, --rank, --size and --store join ranks"
            + " started elsewhere: choose one");
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

  private int processes(int ranks) {
    Integer given = options.ranks.processes;
    require(
        given == null || !options.ranks.threads, "--threads and --processes exclude each other");
    if (given == null) {
      return options.ranks.threads ? 1 : ranks;
    }
    require(
        given >= 1 && given <= ranks,
        "--processes must be 1 to the number of ranks, " + ranks + ", but is " + given);
    return given;
  }

  private String mode(int ranks, int processes) {
    if (options.ranks.threads || processes == ranks) {
      return options.ranks.threads ? "threads" : "processes";
    }
    int most = (ranks + processes - 1) / processes;
    return (ranks % processes == 0 ? "" : "at most ")
        + most
        + " threads in each of "
        + processes
        + " processes";
  }

  private List<Operation> operations(int ranks, ReduceOp op) {
    List<String> names =
        Stream.concat(table.stream().map(Operation::name), Stream.of(ALL)).toList();
    String name = Names.known("OP", options.operation, names);
    if (name.equals(ALL)) {
      return table.stream()
          .filter(each -> each.amongAll() && each.leastRanks() <= ranks && each.accepts(op))
          .toList();
    }
    Operation operation =
        table.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    require(
        operation.leastRanks() <= ranks,
        name + " takes " + operation.leastRanks() + " ranks, but there is " + ranks);
    require(operation.accepts(op), "--op " + op + " has no meaning in a " + name);
    checkOptions(operation);
    return List.of(operation);
  }

  /** Refuses the options that an operation does not take. */
  private void checkOptions(Operation operation) {
    Options.Work work = options.work;
    Options.Measure measure = options.measure;
    refuse(!operation.rooted(), operation, "--root", work.root, "it has no root");
    refuse(!operation.reduces(), operation, "--op", work.op, "it does not reduce");
    refuse(
        operation.alwaysInPlace(),
        operation,
        "--out-of-place",
        work.outOfPlace ? true : null,
        "it is always in place");
    boolean unsized = !operation.sized();
    String none = "it moves no vectors";
    refuse(unsized, operation, "--dtype", work.type, none);
    refuse(unsized, operation, "--memory", work.memory, none);
    refuse(unsized, operation, "--in-place", work.inPlace ? true : null, none);
    refuse(unsized, operation, "--out-of-place", work.outOfPlace ? true : null, none);
    refuse(unsized, operation, "--min", measure.min, none);
    refuse(unsized, operation, "--max", measure.max, none);
    refuse(unsized, operation, "--factor", measure.factor, none);
    refuse(unsized, operation, "--sizes", measure.sizes, none);
    refuse(unsized, operation, "--dump", options.output.dump, "it has no output");
  }

  private static void refuse(
      boolean refused, Operation operation, String option, Object given, String why) {
    require(!refused || given == null, operation.name() + " does not take " + option + ": " + why);
  }

  private DataType type() {
    Map<String, DataType> types = new LinkedHashMap<>();
    for (DataType type : DataType.values()) {
      types.put(lower(type), type);
    }
    String given = options.work.type == null ? "float32" : options.work.type;
    return types.get(Names.known("--dtype", given, types.keySet()));
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private List<Long> counts(DataType type) {
    Options.Measure given = options.measure;
    long min = given.min == null ? LEAST_BYTES : given.min;
    long max = given.max == null ? MOST_BYTES : given.max;
    int factor = given.factor == null ? FACTOR : given.factor;
    require(factor >= 2, "--factor must be at least 2, but is " + factor);
    require(max >= min, "--max must be at least --min, " + min + ", but is " + max);
    List<Long> sizes = given.sizes != null ? given.sizes : ByteSize.sweep(min, max, factor);
    long most = sizes.stream().mapToLong(Long::longValue).max().orElse(0);
    require(
        memory() != Vector.Kind.HEAP || most <= LONGEST_ARRAY_BYTES,
        (given.sizes != null ? "--sizes has " : "--max is ")
            + most
            + ", more than an array can hold; --memory direct can");
    return sizes.stream().map(bytes -> Math.max(1, bytes / type.bytes())).distinct().toList();
  }

  private Vector.Kind memory() {
    String name = options.work.memory == null ? "direct" : options.work.memory;
    List<String> names = Stream.of(Vector.Kind.values()).map(Vector.Kind::toString).toList();
    return Vector.Kind.valueOf(Names.known("--memory", name, names).toUpperCase(Locale.ROOT));
  }

  private ReduceOp op() {
    String name = options.work.op == null ? "sum" : options.work.op;
    ReduceOp op = name.contains("(") ? ReduceOp.named(name) : builtIn(name);
    require(
        op.factor().isEmpty() || isPowerOfTwo(op.factor().getAsDouble()),
        "--op is '"
            + name
            + "', but results are compared to the bit, so its factor must be a power of two");
    return op;
  }

  private static ReduceOp builtIn(String name) {
    List<String> names = ReduceOp.builtIn().stream().map(ReduceOp::name).toList();
    return ReduceOp.named(Names.known("--op", name, names));
  }

  private Workload work(DataType type, ReduceOp op, List<Operation> operations, int ranks) {
    Options.Work given = options.work;
    require(
        op.appliesTo(type) || operations.stream().noneMatch(Operation::reduces),
        "--op " + op + " has no meaning on --dtype " + lower(type));
    int root = given.root == null ? 0 : given.root;
    require(root >= 0 && root < ranks, "--root must be 0 to " + (ranks - 1) + ", but is " + root);
    require(
        !(given.inPlace && given.outOfPlace), "--in-place and --out-of-place exclude each other");
    return new Workload(type, op, root, algorithm(operations), given.inPlace, memory());
  }

  private static boolean isPowerOfTwo(double factor) {
    return factor == Math.scalb(1.0, Math.getExponent(factor))
        && Math.abs(Math.getExponent(factor)) < 5;
  }

  private Optional<String> algorithm(List<Operation> operations) {
    String name = options.work.algorithm;
    List<String> known =
        operations.stream()
            .flatMap(each -> each.collective().stream())
            .flatMap(each -> Workload.algorithms(each).stream())
            .distinct()
            .toList();
    require(
        name == null || !known.isEmpty(),
        "--algorithm is '" + name + "', but " + options.operation + " has none to choose");
    return Optional.ofNullable(name).map(each -> Names.known("--algorithm", each, known));
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

  private OptionalInt hosts(int ranks) {
    Options.Network given = options.network;
    if (given.hosts == null) {
      return OptionalInt.empty();
    }
    require(
        options.ranks.size == null,
        "--hosts is for ranks that are started here, not for one that joins others by --rank");
    require(
        given.device.equals("tcp"),
        "--hosts is for --device tcp, but the device is " + given.device);
    require(
        !given.options.containsKey("host"), "--hosts and --device-option host exclude each other");
    require(
        given.hosts >= 1 && given.hosts <= ranks,
        "--hosts must be 1 to the number of ranks, " + ranks + ", but is " + given.hosts);
    return OptionalInt.of(given.hosts);
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
}
