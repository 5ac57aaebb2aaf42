package io.jgloo.bench;

import io.jgloo.ProcessGroup;
import io.jgloo.bench.process.ProcessFigures;
import io.jgloo.bench.report.Use;
import io.jgloo.collectives.ReduceOp;
import java.lang.management.ManagementFactory;

/**
 * When one rank has connected, by the clock that the processes of a host have in common.
 *
 * @param beganMillis when it began to connect
 * @param endedMillis when it was connected
 */
record Connecting(long beganMillis, long endedMillis) {

  /** What all ranks took and hold; the same at each of them, which all call this. */
  Use use(ProcessGroup group) {
    ProcessFigures own =
        ProcessFigures.of(ProcessHandle.current().pid()).orElse(new ProcessFigures(0, 0, 0));
    long[] most = {
      -ManagementFactory.getRuntimeMXBean().getStartTime(),
      beganMillis,
      endedMillis,
      own.descriptors(),
      own.threads(),
      own.residentKib()
    };
    group.allreduce(most, ReduceOp.MAX);
    return new Use((most[2] + most[0]) / 1e3, (most[2] - most[1]) / 1e3, most[3], most[4], most[5]);
  }
}
