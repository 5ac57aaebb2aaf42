package io.jgloo.build;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.CallOptions;
import io.jgloo.ProcessGroup;
import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.AlgorithmProvider;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.verify.Verifier;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreTimeoutException;
import io.jgloo.transport.DeviceOptions;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;

/** Uses the recipes of docs/extending.md, in a process that has them on its class path. */
final class RecipesRun {

  private static final int VERIFIED_SIZES = 9;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private RecipesRun() {}

  public static void main(String[] arguments) throws Exception {
    useStore();
    verifyAlgorithm();
    Method product =
        Class.forName("Complex").getMethod("product", ProcessGroup.class, double[].class);
    PageCode.atRanks(
        rank ->
            ProcessGroup.builder()
                .store("heap://ranks")
                .device("local", DeviceOptions.DEFAULTS)
                .connectTimeout(TIMEOUT),
        group -> use(group, product));
  }

  private static void use(ProcessGroup group, Method product) throws Exception {
    float[] x = {group.rank(), 1};
    group.with(CallOptions.DEFAULTS.algorithm("star")).allreduce(x, ReduceOp.SUM);
    assertArrayEquals(new float[] {3, 3}, x);
    double[] complex = {1, 2, 2, 0}; // 1 + 2i and 2, whose third powers are -11 - 2i and 8
    product.invoke(null, group, complex);
    assertArrayEquals(new double[] {-11, -2, 8, 0}, complex);
  }

  private static void useStore() {
    try (Store store = Stores.open("heap://store", 0, TIMEOUT);
        Store other = Stores.open("heap://store", 1, TIMEOUT)) {
      byte[] value = {7};
      store.set("key", value);
      assertArrayEquals(value, other.get("key"));
      assertEquals(5, store.add("counter", 2) + other.add("counter", 1));
      assertArrayEquals(new byte[0], other.compareSet("key", value, new byte[0]));
      assertArrayEquals(value, store.compareSet("missing", value, new byte[0]));
      assertTrue(other.deleteKey("key"));
      StoreTimeoutException missing =
          assertThrows(StoreTimeoutException.class, () -> store.get("key", Duration.ZERO));
      assertEquals(List.of("key"), missing.keys());
    }
  }

  private static void verifyAlgorithm() {
    AlgorithmProvider provider = ServiceLoader.load(AlgorithmProvider.class).findFirst().get();
    for (Algorithm algorithm : provider.algorithms()) {
      for (int size = 1; size <= VERIFIED_SIZES; size++) {
        for (long count : new long[] {0, 1, size - 1, size, size + 1, 101}) {
          Shape shape = Shape.allreduce(size, count, Float.BYTES);
          assertTrue(Verifier.verify(algorithm, shape) > 0);
          assertTrue(Verifier.verify(algorithm, shape.withSegmentBytes(16)) > 0);
        }
      }
    }
  }
}
