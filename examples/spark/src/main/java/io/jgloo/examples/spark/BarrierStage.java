package io.jgloo.examples.spark;

import io.jgloo.OpenRank;
import io.jgloo.ProcessGroup;
import io.jgloo.transport.DeviceOptions;
import java.time.Duration;
import java.util.List;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkEnv;

/**
 * Makes a process group of the tasks of a barrier stage: each task opens a port, Spark's {@code
 * allGather} exchanges the addresses, and the tasks connect. No store is needed.
 *
 * <p>An attempt of Spark to repeat the stage is a new epoch of its group, so that a task of the
 * last attempt is refused. Groups have a timeout of their own, because Spark's barrier waits for a
 * year unless {@code spark.barrier.sync.timeout} is set.
 */
final class BarrierStage {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private BarrierStage() {}

  /** The group of this task's stage, connected; the caller closes it. */
  static ProcessGroup join(BarrierTaskContext task) {
    // All executors reach the driver: listen where packets leave for it.
    String driver = SparkEnv.get().conf().get("spark.driver.host", "localhost");
    try (OpenRank open =
        ProcessGroup.builder()
            .rank(task.partitionId())
            .size(task.getTaskInfos().length)
            .name("stage-" + task.stageId())
            .epoch(task.stageAttemptNumber())
            .device("tcp", DeviceOptions.DEFAULTS.with("reach", driver))
            .connectTimeout(TIMEOUT)
            .open()) {
      return open.connect(List.of(task.allGather(open.address())));
    }
  }
}
