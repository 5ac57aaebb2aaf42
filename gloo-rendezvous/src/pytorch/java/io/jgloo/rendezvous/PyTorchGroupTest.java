package io.jgloo.rendezvous;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.tcp.GenuineStore;
import io.jgloo.rendezvous.store.tcp.StoreServer;
import io.jgloo.rendezvous.store.tcp.TcpStoreClient;
import io.jgloo.rendezvous.store.tcp.TcpStoreLimits;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.AllreduceOptions;
import org.bytedeco.pytorch.GlooDeviceVector;
import org.bytedeco.pytorch.ProcessGroupGloo;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.Work;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** PyTorch's process groups meet at our server and compute. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class PyTorchGroupTest {
  private static final int SIZE = 3;

  @Test
  void pytorchGroups_meetAtOurServer() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(SIZE);
    try (StoreServer server =
            StoreServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                TcpStoreLimits.DEFAULT);
        TcpStoreClient watcher =
            TcpStoreClient.connect("127.0.0.1", server.port(), Duration.ofSeconds(50))) {
      List<Future<float[]>> ranks = new ArrayList<>();
      for (int rank = 0; rank < SIZE; rank++) {
        int me = rank;
        ranks.add(threads.submit(() -> allreduce(server.port(), me)));
      }
      for (Future<float[]> rank : ranks) {
        assertArrayEquals(new float[] {6, 60}, rank.get());
      }
      assertTrue(watcher.check(Set.of("default_pg/0//0/2")));
    } finally {
      threads.shutdownNow();
    }
  }

  private static float[] allreduce(int port, int rank) {
    Duration timeout = Duration.ofSeconds(30);
    try (GenuineStore store = GenuineStore.connect(port, timeout);
        GenuineStore inner = store.prefixed("default_pg");
        GenuineStore group = inner.prefixed("0/");
        ProcessGroupGloo.Options options =
            ProcessGroupGloo.Options.create(new Milliseconds(timeout.toMillis()));
        GlooDeviceVector devices =
            new GlooDeviceVector(ProcessGroupGloo.createDeviceForHostname("127.0.0.1"))) {
      options.devices(devices);
      try (ProcessGroupGloo gloo = new ProcessGroupGloo(group.unwrap(), rank, SIZE, options);
          Tensor tensor = Tensor.create(rank + 1f, 10 * (rank + 1f));
          TensorVector tensors = new TensorVector(tensor);
          Work work = gloo.allreduce(tensors, new AllreduceOptions())) {
        assertTrue(work._wait());
        float[] result = new float[2];
        assertEquals(2, tensor.numel());
        tensor.data_ptr_float().get(result);
        return result;
      }
    }
  }
}
