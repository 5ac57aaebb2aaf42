package io.jgloo.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.bench.operation.Operation;
import io.jgloo.bench.operation.Operations;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What makes no sense is refused: by option and value, with exit code 2. */
@Timeout(60)
final class CommandLineTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "                                         | OP",
        "sort                                     | OP is 'sort'",
        "allreduce --frob                         | --frob",
        "allreduce --ranks two                    | --ranks': 'two'",
        "allreduce --ranks 0                      | --ranks must be 1 to 1024, but is 0",
        "allreduce --min 3Q                       | --min': '3Q'",
        "allreduce --min 8 --max 4                | --max must be at least --min, 8, but is 4",
        "allreduce --factor 1                     | --factor must be at least 2, but is 1",
        "allreduce --iters 0                      | --iters must be at least 1, but is 0",
        "allreduce --warmup -1                    | --warmup must be at least 0, but is -1",
        "allreduce --timeout 0                    | --timeout must be at least 1, but is 0",
        "allreduce --dtype float                  | --dtype is 'float'",
        "allreduce --op mean                      | --op is 'mean'",
        "allreduce --op band                      | --op band has no meaning on --dtype float32",
        "scan --op avg                            | --op avg has no meaning in a scan",
        "allreduce --algorithm bogo               | --algorithm is 'bogo'",
        "sendrecv --algorithm ring                | --algorithm is 'ring', but sendrecv has none",
        "broadcast --ranks 3 --root 3             | --root must be 0 to 2, but is 3",
        "calibrate --ranks 1                      | calibrate takes 2 ranks, but there is 1",
        "sendrecv --ranks 1                       | sendrecv takes 2 ranks, but there is 1",
        "allreduce --memory disk                  | --memory is 'disk'",
        "allreduce --memory heap --max 4G         | --max is 4294967296",
        "allreduce --memory heap --sizes 4,4G     | --sizes has 4294967296",
        "allreduce --in-place --out-of-place      | --in-place and --out-of-place",
        "allreduce --format xml                   | --format",
        "allreduce --output /nowhere/at/all       | --output /nowhere/at/all",
        "allreduce --hdr /dev/null/hdr            | --hdr /dev/null/hdr",
        "allreduce --dump /dev/null/dump          | --dump /dev/null/dump",
        "allreduce --rank 0                       | --size is missing",
        "allreduce --rank 0 --size 2              | --store is missing",
        "allreduce --size 2 --store file:///x     | --rank is missing",
        "allreduce --rank 2 --size 2 --store s    | --rank must be 0 to 1, but is 2",
        "allreduce --rank 0 --size 2 --threads    | choose one",
        "allreduce --rank 0 --size 1 --store ftp://x       | ftp://x",
        "allreduce --threads --device pigeon               | pigeon",
        "allreduce --threads --device-option colour=blue   | colour",
        "allreduce --threads --device-option spin=fast     | fast",
        "allreduce --threads --interface pigeon0           | pigeon0",
      })
  void nonsenseIsNamed(String line, String named) {
    Invocation run = Invocation.of(line == null ? new String[0] : line.trim().split(" +", -1));
    assertEquals(ExitCode.USAGE, run.code(), run.err());
    assertTrue(run.err().startsWith("gloo-bench: "), run.err());
    assertTrue(run.err().contains(named), run.err());
    assertEquals("", run.out());
  }

  @Test
  void memoryRouteOfAnotherDevice_isRefused() {
    Invocation run = Invocation.of("allreduce", "--memory-route", "auto", "--device", "ibverbs");
    assertEquals(ExitCode.USAGE, run.code(), run.err());
    assertTrue(run.err().contains("--memory-route is for --device tcp"), run.err());
  }

  @Test
  void helpNamesEveryOperationAndExitCode() {
    Invocation run = Invocation.of("--help");
    assertEquals(ExitCode.VERIFIED, run.code());
    for (Operation operation : Operations.all()) {
      assertTrue(run.out().contains(operation.name()), operation.name());
    }
    assertTrue(run.out().contains("Exit codes:"), run.out());
    assertTrue(run.out().contains("gloo-bench/run allreduce --ranks 4"), run.out());
    assertTrue(run.out().lines().allMatch(line -> line.length() <= 100), run.out());
  }
}
