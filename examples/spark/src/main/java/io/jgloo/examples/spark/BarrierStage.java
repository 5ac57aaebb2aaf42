package io.jgloo.examples.spark;

import io.jgloo.OpenRank;
import io.jgloo.ProcessGroup;
import io.jgloo.transport.DeviceOptions;
import java.time.Duration;
import java.util.List;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkEnv;

/**
 * Makes a process group of the tasks of a barrier stage: each opens a port, Spark's {@code
 * allGather} tells it where the others are, and they connect. No store is needed.
 *
 * <p>A stage that Spark tries again is a new epoch of its group, so that a task that is left over
 * from the last attempt is refused. Groups wait with a timeout of their own, since Spark's barrier
 * waits for a year unless {@code spark.barrier.sync.timeout} says otherwise.
 */
final class BarrierStage {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private BarrierStage() {}

  /** The group of this task's stage, connected; the caller closes it. */
  static ProcessGroup join(BarrierTaskContext task) {
    // The driver is reached by all executors: listen where packets leave for it.
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
