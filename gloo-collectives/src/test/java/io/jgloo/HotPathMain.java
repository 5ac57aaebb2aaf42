package io.jgloo;

import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.execution.Meshes;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.capability.Diagnosis;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * Two ranks that make the same call again and again, for {@link CallTracer} to look at: the peer's
 * message has arrived before rank 0 makes a traced call.
 */
final class HotPathMain {

  private static final int WARM_CALLS = 500;

  private HotPathMain() {}

  public static void main(String[] arguments) throws Exception {
    int tracedCalls = Integer.parseInt(arguments[0]);
    DeviceOptions options =
        DeviceOptions.DEFAULTS.with("bind", "127.0.0.1").with("memory", arguments[1]);
    String sent = arguments[1].equals("off") ? "bytesOut" : "cellsOut";
    Semaphore turns = new Semaphore(WARM_CALLS);
    try (Device device = Devices.open("tcp", options)) {
      List<Mesh> meshes = Meshes.connect(device, "hot path", 2);
      Duration timeout = Duration.ofMinutes(2);
      try (ProcessGroup zero = ProcessGroup.over(meshes.get(0), timeout);
          ProcessGroup one = ProcessGroup.over(meshes.get(1), timeout)) {
        Thread peer = new Thread(() -> peer(one, turns, WARM_CALLS + tracedCalls), "rank-1");
        peer.setDaemon(true);
        peer.start();
        float[] x = new float[1];
        for (int i = 0; i < WARM_CALLS; i++) {
          zero.allreduce(x, ReduceOp.SUM);
        }
        for (int i = 0; i < tracedCalls; i++) {
          awaitMessages(meshes.get(0), meshes.get(1)); // of the call before
          long before = Diagnosis.of(meshes.get(1)).counters().get(sent);
          turns.release();
          while (Diagnosis.of(meshes.get(1)).counters().get(sent) == before) {
            Thread.sleep(1);
          }
          traced(zero, x);
          ended();
        }
        peer.join();
      }
    }
  }

  /** What {@link CallTracer} looks at. */
  private static void traced(ProcessGroup group, float[] x) {
    group.allreduce(x, ReduceOp.SUM);
  }

  private static void ended() {
    // The tracer stops here.
  }

  private static void peer(ProcessGroup group, Semaphore turns, int calls) {
    float[] x = {1};
    for (int i = 0; i < calls; i++) {
      turns.acquireUninterruptibly();
      group.allreduce(x, ReduceOp.SUM);
    }
  }

  private static void awaitMessages(Mesh zero, Mesh one) throws InterruptedException {
    while (!Diagnosis.of(zero)
        .counters()
        .get("bytesOut")
        .equals(Diagnosis.of(one).counters().get("bytesIn"))) {
      Thread.sleep(1);
    }
  }
}
