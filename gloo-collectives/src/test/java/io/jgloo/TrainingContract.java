package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.JGlooException;
import io.jgloo.transport.ShortJvm;
import java.io.BufferedReader;
import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Data-parallel training with a runtime, by two ranks one of which does not go on. */
@Timeout(300)
public abstract class TrainingContract {

  private static final Duration PATIENCE = Duration.ofSeconds(200); // the runtime is loaded

  private static final int STEPS = 3;

  /** The training of one rank. */
  public interface Training extends AutoCloseable {
    void step() throws Exception;

    /** What comes after the last batch: metrics, for example. */
    void endEpoch();

    float[] parameters();

    @Override
    void close();
  }

  /** Begins to train; the same model at all ranks. */
  protected abstract Training start(ProcessGroup group) throws Exception;

  /** Part of the message where one rank ends the epoch and the other has a further step. */
  protected String endedEarly() {
    return "make different calls)";
  }

  /** Rank 1 of two processes, which waits to be killed after some steps. */
  static final class Killed {
    public static void main(String[] arguments) throws Exception {
      Constructor<?> constructor = Class.forName(arguments[0]).getDeclaredConstructor();
      constructor.setAccessible(true);
      TrainingContract contract = (TrainingContract) constructor.newInstance();
      try (ProcessGroup group = ProcessGroup.init(arguments[1], 1, 2, PATIENCE);
          Training training = contract.start(group)) {
        for (int step = 0; step < STEPS; step++) {
          training.step();
        }
        System.out.println("trained");
        System.in.read();
      }
    }
  }

  private static void awaitTrained(Process process) throws Exception {
    BufferedReader output = process.inputReader();
    for (String line = output.readLine(); !"trained".equals(line); line = output.readLine()) {
      assertTrue(line != null, "the process has ended");
    }
  }

  @Test
  void killedProcess_isNamedByTheStepOfTheOther(@TempDir Path folder) throws Exception {
    try (Ranks alone = Ranks.of(1)) {
      alone.each((group, rank) -> start(group).close()); // unpacks the runtime
    }
    String store = folder.resolve("store").toUri().toString();
    List<String> command = ShortJvm.command("-cp", System.getProperty("java.class.path"));
    command.addAll(List.of(Killed.class.getName(), getClass().getName(), store));
    Process killed =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (ProcessGroup group = ProcessGroup.init(store, 0, 2, PATIENCE);
        Training training = start(group)) {
      for (int step = 0; step < STEPS; step++) {
        training.step();
      }
      awaitTrained(killed);
      float[] before = training.parameters();
      killed.destroyForcibly().waitFor(); // SIGKILL
      JGlooException e = assertThrows(JGlooException.class, training::step);
      assertTrue(e.getMessage().contains("peer 1"), e.getMessage());
      assertArrayEquals(before, training.parameters(), 0);
    } finally {
      killed.destroyForcibly();
    }
  }

  @Test
  void rankThatEndsTheEpochEarly_isReportedAtBothRanks() {
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) -> {
            try (Training training = start(group)) {
              training.step();
              RuntimeException e =
                  assertThrows(
                      RuntimeException.class,
                      () -> {
                        if (rank == 0) {
                          training.step();
                        } else {
                          training.endEpoch();
                        }
                      });
              assertTrue(e.getMessage().contains(endedEarly()), e.getMessage());
            }
          });
    }
  }
}
