package io.jgloo.fault;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.Ranks;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.ShortJvm;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A reduction function that closes or aborts its own group, in a JVM in which memory that was freed
 * cannot be read.
 */
@Timeout(120)
class FunctionEndsGroupSystemTest {

  /** Longer than any wait of closing itself, so that one of those shows. */
  private static final Duration CLOSE = Duration.ofSeconds(4);

  /** Of each size; each second one is asynchronous. */
  private static final int ROUNDS = Boolean.getBoolean("jgloo.test.full") ? 6 : 2;

  @ParameterizedTest
  @CsvSource({"jgloo,close,inside", "jgloo,abort,beside"})
  void functionEndsItsGroup_processLivesAndGroupEnds(String wire, String end, String where)
      throws Exception {
    List<String> command =
        ShortJvm.command(
            "-Xmx256m",
            "-XX:ErrorFile=/dev/null",
            "-XX:-CreateCoredumpOnCrash",
            "-Djgloo.test.full=" + Boolean.getBoolean("jgloo.test.full"),
            "-cp",
            System.getProperty("java.class.path"));
    command.addAll(List.of(FunctionEndsGroupSystemTest.class.getName(), wire, end, where));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("MALLOC_MMAP_THRESHOLD_", "65536");
    Process process = builder.redirectErrorStream(true).start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      assertEquals(0, process.waitFor(), output);
    } finally {
      process.destroyForcibly();
    }
  }

  /** In the other JVM: rounds of calls whose function ends the group at one rank. */
  public static void main(String[] args) throws Exception {
    Thread watchdog =
        new Thread(
            () -> {
              try {
                TimeUnit.SECONDS.sleep(80);
              } catch (InterruptedException e) {
                return;
              }
              Thread.getAllStackTraces()
                  .forEach((t, s) -> System.out.println(t + "\n" + List.of(s)));
              Runtime.getRuntime().halt(3);
            });
    watchdog.setDaemon(true);
    watchdog.start();
    boolean closes = args[1].equals("close");
    boolean inside = args[2].equals("inside");
    for (int count : new int[] {1, 3000, 400_000}) {
      for (int round = 0; round < ROUNDS; round++) {
        round(args[0], closes, inside, count, round % 2 == 0);
      }
    }
    System.exit(0);
  }

  private static void round(String wire, boolean closes, boolean inside, int count, boolean async)
      throws Exception {
    DeviceOptions options = DeviceOptions.DEFAULTS.with("bind", "127.0.0.1").with("wire", wire);
    try (Ranks ranks = Ranks.on(Devices.open("tcp", options), 3, Duration.ofSeconds(20))) {
      AtomicBoolean once = new AtomicBoolean();
      CountDownLatch ended = new CountDownLatch(1);
      List<Throwable> failures =
          ranks.outcomes(
              (group, rank) -> {
                ReduceOp op =
                    ReduceOp.of(
                        "sum",
                        (a, b, type) -> {
                          if (once.compareAndSet(false, true)) {
                            end(group, closes, inside, ended);
                          }
                          addInts(a, b);
                        },
                        true);
                Payload memory = Payload.of(new int[count]);
                if (async) {
                  group
                      .async()
                      .allreduce(memory, op)
                      .toCompletableFuture()
                      .get(60, TimeUnit.SECONDS);
                } else {
                  group.allreduce(memory, op);
                }
                group.barrier();
              });
      assertTrue(ended.await(60, TimeUnit.SECONDS), "the group's end does not return");
      for (Throwable failure : failures) {
        boolean known =
            failure instanceof JGlooException || failure.getCause() instanceof JGlooException;
        assertTrue(known, String.valueOf(failure));
      }
    }
  }

  private static void end(
      ProcessGroup group, boolean closes, boolean inside, CountDownLatch ended) {
    Runnable ending =
        () -> {
          long start = System.nanoTime();
          if (closes) {
            group.close();
          } else {
            group.abort("enough of this");
          }
          long took = System.nanoTime() - start;
          assertTrue(took < CLOSE.toNanos(), took + " ns to end the group");
          ended.countDown();
        };
    if (inside) {
      ending.run();
      return;
    }
    Thread beside = new Thread(ending);
    beside.setDaemon(true);
    beside.start();
    try {
      ended.await(200, TimeUnit.MILLISECONDS); // the function still runs while the group ends
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void addInts(ByteBuffer a, ByteBuffer b) {
    for (int at = 0; at < a.limit(); at += Integer.BYTES) {
      a.putInt(at, a.getInt(at) + b.getInt(at));
    }
  }
}
