package io.jgloo.bench;

import static io.jgloo.bench.command.Commands.require;
import static io.jgloo.bench.command.Commands.requireAtLeast;

import io.jgloo.ProcessGroup;
import io.jgloo.bench.command.ByteSize;
import io.jgloo.bench.command.Commands;
import io.jgloo.bench.operation.Operation;
import io.jgloo.bench.operation.Operations;
import io.jgloo.bench.operation.Vector;
import io.jgloo.bench.operation.Workload;
import io.jgloo.bench.report.Format;
import io.jgloo.bench.report.Machine;
import io.jgloo.bench.report.Run.Header;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.kernel.Kernels;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The settings of a run: operation, sizes, ranks, device; the same at all ranks.
 *
 * <p><em>Fails</em>: {@link #read} refuses an option that has no meaning, by an {@link
 * IllegalArgumentException}.
 */
final class Settings {
  private static final String ALL = "all";

  /** Devices that open TCP connections, from the address they are given. */
  private static final List<String> ON_TCP = List.of("tcp", "ibverbs");

  /** Options of operations on vectors. */
  private static final String OF_VECTORS =
      "--dtype --memory --in-place --min --max --factor --sizes";

  private static final int MOST_RANKS = 1024;
  private static final long LONGEST_ARRAY_BYTES = Integer.MAX_VALUE - 8;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Parameters(
      paramLabel = "OP",
      completionCandidates = OperationNames.class,
      description =
          "one of: ${COMPLETION-CANDIDATES}; case and hyphens do not matter. Other commands:"
              + " compare, diagnose, kill, ps, rpc, soak, store")
  private String operation;

  /** The names of all operations, and the word for all of them. */
  static final class OperationNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return names(Operations.all()).iterator();
    }
  }

  @ArgGroup(validate = false, order = 1, heading = "%nRanks:%n")
  final Ranks given = new Ranks();

  @ArgGroup(validate = false, order = 2, heading = "%nWhat to measure:%n")
  private final Work typed = new Work();

  @ArgGroup(validate = false, order = 3, heading = "%nHow the ranks reach each other:%n")
  final Network network = new Network();

  @ArgGroup(validate = false, order = 4, heading = "%nHow to measure:%n")
  final Measure measure = new Measure();

  @ArgGroup(validate = false, order = 5, heading = "%nWhat to report:%n")
  final Output output = new Output();

  static final class Ranks {
    @Option(names = "--ranks", description = "start so many ranks on this machine (default: 2)")
    Integer ranks;

    @Option(names = "--threads", description = "... as threads of one JVM, not as processes")
    boolean threads;

    @Option(names = "--processes", description = "... as threads of so many, in order of ranks")
    Integer processes;

    @Option(names = "--rank", description = "be this rank, of a job that is started elsewhere")
    Integer rank;

    @Option(names = "--size", description = "... of so many ranks")
    Integer size;

    @Option(names = "--store", description = "... that meet at file:///dir or tcp://host:port")
    String store;

    @Option(names = "--child", hidden = true)
    Integer child;

    @Option(names = "--child-port", hidden = true)
    int childPort;
  }

  static final class Work {
    @Option(names = "--dtype", description = "element type (default: float32)")
    private String type = "float32";

    @Option(names = "--op", description = "reduction: sum, product, min, max, ... (default: sum)")
    private String op = "sum";

    @Option(names = "--root", description = "root of rooted operations (default: 0)")
    private int root;

    @Option(
        names = "--algorithm",
        description =
            "by name, also of providers on JGLOO_CLASSPATH (default: the library chooses)")
    private String algorithm;

    @Option(
        names = "--in-place",
        description = "one vector for input and output (default: two, where they can)")
    private boolean inPlace;

    @Option(
        names = "--memory",
        description =
            "direct: off the heap (default); heap: Java arrays;"
                + " allocated: memory of the group, read in place by ranks of the host")
    private String memory = "direct";
  }

  static final class Network {
    @Option(names = "--device", description = "kind of device (default: tcp)")
    String device = "tcp";

    @Option(names = "--device-option", description = "attribute of the device; may be repeated")
    private Map<String, String> options = new LinkedHashMap<>();

    @Option(
        names = "--memory-route",
        description =
            "auto: ranks of one host share memory if they can (default); off: they use sockets;"
                + " require: fail if they cannot")
    private String memoryRoute;

    @Option(
        names = "--hosts",
        description =
            "pretend that the ranks are on so many hosts: those of different hosts do not share"
                + " memory, and algorithms are chosen for such hosts")
    private Integer hosts;

    @Option(
        names = "--interface",
        paramLabel = "<name>",
        description = "to listen on (default: loopback with --ranks, else that of the store)")
    private String interfaceName;
  }

  static final class Measure {
    @Option(
        names = "--min",
        converter = ByteSize.class,
        description = "least bytes per rank; K, M, G are powers of 1024 (default: 4)")
    private long min = 4;

    @Option(
        names = "--max",
        converter = ByteSize.class,
        description = "most bytes per rank, inclusive (default: 64M)")
    private long max = 64 << 20;

    @Option(names = "--factor", description = "from one size to the next (default: 4)")
    private int factor = 4;

    @Option(
        names = "--sizes",
        split = ",",
        converter = ByteSize.class,
        description = "or just these")
    private List<Long> sizes;

    @Option(names = "--iters", description = "timed calls (default: of 0.3 s, 20 to 20000)")
    Integer iterations;

    @Option(
        names = "--warmup",
        description =
            "calls before them (default: until times are stable and the JVM compiles no more,"
                + " 6 s at most)")
    Integer warmup;

    @Option(names = "--timeout", description = "of a call and the start, in s (default: 60)")
    private int timeout = 60;
  }

  static final class Output {
    @Option(names = "--format", description = Format.OPTION)
    Format format = Format.TABLE;

    @Option(names = "--hdr", description = "folder for all times: rank-R-SIZE.hlog")
    Path hdr;

    @Option(
        names = {"-v", "--verbose"},
        description = "show log lines of all ranks")
    boolean verbose;
  }

  private List<Operation> operations;
  private int ranks;
  private int processes;
  private List<Long> counts;
  private Workload work;
  private final Map<String, String> deviceOptions = new LinkedHashMap<>();

  /**
   * Checks what was typed and derives the rest.
   *
   * @param table of operations
   */
  void read(List<Operation> table) {
    readRanks();
    ReduceOp op = op();
    DataType type =
        DataType.valueOf(
            known("--dtype", typed.type, Stream.of(DataType.values()).map(Settings::lower)));
    operations = operations(table, op);
    Vector.Kind memory =
        Vector.Kind.valueOf(
            known("--memory", typed.memory, Stream.of(Vector.Kind.values()).map(Settings::lower)));
    readCounts(type, memory);
    require(
        op.appliesTo(type) || operations.stream().noneMatch(Operation::reduces),
        "--op " + op + " has no meaning on --dtype " + lower(type));
    requireIn(0, ranks - 1, "--root must be 0 to " + (ranks - 1), typed.root);
    work = new Workload(type, op, typed.root, algorithm(), typed.inPlace, memory);
    requireAtLeast(1, "--iters", measure.iterations == null ? 1 : measure.iterations);
    requireAtLeast(0, "--warmup", measure.warmup == null ? 0 : measure.warmup);
    requireAtLeast(1, "--timeout", measure.timeout);
    readNetwork();
  }

  private void readRanks() {
    boolean member = given.rank != null || given.size != null || given.store != null;
    boolean local = given.ranks != null || given.threads || given.processes != null;
    require(
        !(member && local),
        "--ranks, --threads and --processes start ranks here, --rank, --size and --store join ranks"
            + " started elsewhere: choose one");
    if (member) {
      require(given.rank != null, "--rank is missing beside --size and --store");
      require(given.size != null, "--size is missing beside --rank and --store");
      require(given.store != null, "--store is missing beside --rank and --size");
      requireAtLeast(1, "--size", given.size);
      requireIn(0, given.size - 1, "--rank must be 0 to " + (given.size - 1), given.rank);
    }
    ranks = member ? given.size : given.ranks == null ? 2 : given.ranks;
    requireIn(1, member ? ranks : MOST_RANKS, "--ranks must be 1 to " + MOST_RANKS, ranks);
    require(
        given.processes == null || !given.threads, "--threads and --processes exclude each other");
    processes = given.threads ? 1 : given.processes == null ? ranks : given.processes;
    requireIn(1, ranks, "--processes must be 1 to the number of ranks, " + ranks, processes);
  }

  private static void requireIn(int least, int most, String rule, int value) {
    require(value >= least && value <= most, rule + ", but is " + value);
  }

  private static List<String> names(List<Operation> table) {
    return Stream.concat(table.stream().map(Operation::name), Stream.of(ALL)).toList();
  }

  private List<Operation> operations(List<Operation> table, ReduceOp op) {
    String name = Commands.known("OP", operation, names(table));
    if (name.equals(ALL)) {
      return table.stream()
          .filter(each -> each.amongAll() && each.leastRanks() <= ranks && each.accepts(op))
          .toList();
    }
    Operation one = table.stream().filter(each -> each.name().equals(name)).findFirst().get();
    require(
        one.leastRanks() <= ranks,
        name + " takes " + one.leastRanks() + " ranks, but there is " + ranks);
    require(one.accepts(op), "--op " + op + " has no meaning in a " + name);
    refuse(!one.rooted(), name, "it has no root", "--root");
    refuse(!one.reduces(), name, "it does not reduce", "--op");
    refuse(!one.sized(), name, "it moves no vectors", OF_VECTORS.split(" ", -1));
    return List.of(one);
  }

  private void refuse(boolean refused, String name, String why, String... options) {
    for (String option : options) {
      require(
          !refused || !spec.commandLine().getParseResult().hasMatchedOption(option),
          name + " does not take " + option + ": " + why);
    }
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static String known(String option, String word, Stream<String> names) {
    return Commands.known(option, word, names.toList()).toUpperCase(Locale.ROOT);
  }

  private void readCounts(DataType type, Vector.Kind memory) {
    require(measure.factor >= 2, "--factor must be at least 2, but is " + measure.factor);
    require(
        measure.max >= measure.min,
        "--max must be at least --min, " + measure.min + ", but is " + measure.max);
    List<Long> sizes =
        measure.sizes != null
            ? measure.sizes
            : ByteSize.sweep(measure.min, measure.max, measure.factor);
    long most = sizes.stream().mapToLong(Long::longValue).max().orElse(0);
    require(
        memory != Vector.Kind.HEAP || most <= LONGEST_ARRAY_BYTES,
        (measure.sizes != null ? "--sizes has " : "--max is ")
            + most
            + ", more than an array can hold; --memory direct can");
    counts = sizes.stream().map(bytes -> Math.max(1, bytes / type.bytes())).distinct().toList();
  }

  private ReduceOp op() {
    Collection<String> names = ReduceOp.builtIn().stream().map(ReduceOp::name).toList();
    String name = typed.op.contains("(") ? typed.op : Commands.known("--op", typed.op, names);
    ReduceOp op = ReduceOp.named(name);
    require(
        op.factor().isEmpty() || isPowerOfTwo(op.factor().getAsDouble()),
        "--op is '"
            + name
            + "', but results are compared to the bit, so its factor must be a power of two");
    return op;
  }

  private static boolean isPowerOfTwo(double factor) {
    int exponent = Math.getExponent(factor);
    return factor == Math.scalb(1.0, exponent) && Math.abs(exponent) < 5;
  }

  private Optional<String> algorithm() {
    String name = typed.algorithm;
    List<String> known =
        operations.stream()
            .flatMap(each -> each.collective().stream())
            .flatMap(each -> Workload.algorithms(each).stream())
            .distinct()
            .toList();
    require(
        name == null || !known.isEmpty(),
        "--algorithm is '" + name + "', but " + operation + " has none to choose");
    return Optional.ofNullable(name).map(each -> Commands.known("--algorithm", each, known));
  }

  private void readNetwork() {
    String device = network.device;
    deviceOptions.putAll(network.options);
    if (network.memoryRoute != null) {
      require(
          device.equals("tcp"), "--memory-route is for --device tcp, but the device is " + device);
      deviceOptions.put("memory", network.memoryRoute);
    }
    if (network.interfaceName != null) {
      deviceOptions.put("interface", network.interfaceName);
    } else if (given.rank == null
        && ON_TCP.contains(device)
        && !deviceOptions.containsKey("interface")) {
      deviceOptions.putIfAbsent("bind", "127.0.0.1");
    }
    if (network.hosts != null) {
      require(
          given.rank == null,
          "--hosts is for ranks that are started here, not for one that joins others by --rank");
      require(device.equals("tcp"), "--hosts is for --device tcp, but the device is " + device);
      require(
          !network.options.containsKey("host"),
          "--hosts and --device-option host exclude each other");
      requireIn(1, ranks, "--hosts must be 1 to the number of ranks, " + ranks, network.hosts);
    }
  }

  List<Operation> operations() {
    return operations;
  }

  /** Number of all ranks. */
  int ranks() {
    return ranks;
  }

  /** Processes that the ranks are in; one if they are threads of this JVM. */
  int processes() {
    return processes;
  }

  /** The first rank of a process; that of one beyond the last is the number of ranks. */
  int firstRank(int process) {
    return (int) ((long) process * ranks / processes);
  }

  /** Elements of each rank's vector, line by line. */
  List<Long> counts() {
    return counts;
  }

  Workload work() {
    return work;
  }

  /** For a call, and for the ranks to meet. */
  Duration timeout() {
    return Duration.ofSeconds(measure.timeout);
  }

  /** Where histograms are; with several operations each has a folder of its own. */
  Path folder(Operation operation) {
    return operations.size() == 1 ? output.hdr : output.hdr.resolve(operation.name());
  }

  /** Attributes of the device of one rank. */
  Map<String, String> deviceOptions(int rank) {
    Map<String, String> attributes = new LinkedHashMap<>(deviceOptions);
    if (network.hosts != null) {
      attributes.put("host", "host-" + (long) rank * network.hosts / ranks);
    }
    return attributes;
  }

  /** What a report must say about this run. */
  Header header(ProcessGroup group) {
    boolean oneHost = group.localSize() == group.size();
    Map<String, Long> routes =
        IntStream.range(0, group.size())
            .filter(peer -> peer != group.rank())
            .mapToObj(group::route)
            .collect(Collectors.groupingBy(route -> route, TreeMap::new, Collectors.counting()));
    return new Header(
        operations.stream().map(Operation::name).toList(),
        ranks,
        mode() + place(oneHost),
        work.memory().toString(),
        work.inPlace(),
        network.device,
        deviceOptions,
        routes,
        Machine.congestion(network.device, deviceOptions, oneHost),
        Machine.systemCongestion(),
        Kernels.nativeUnavailabilityCause().map(cause -> "java (" + cause + ")").orElse("native"),
        Machine.askJvm(),
        Machine.askSystem(),
        Runtime.getRuntime().availableProcessors(),
        Machine.time());
  }

  private String mode() {
    if (given.threads || processes == ranks) {
      return given.threads ? "threads" : "processes";
    }
    String most = ranks % processes == 0 ? "" : "at most ";
    int each = (ranks + processes - 1) / processes;
    return most + each + " threads in each of " + processes + " processes";
  }

  private String place(boolean oneHost) {
    if (network.hosts != null) {
      return " on " + network.hosts + " pretended host" + (network.hosts == 1 ? "" : "s");
    }
    return oneHost ? " on one host" : "";
  }
}
