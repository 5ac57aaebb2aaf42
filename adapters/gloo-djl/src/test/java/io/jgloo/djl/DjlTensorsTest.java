package io.jgloo.djl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.NDScope;
import ai.djl.ndarray.types.Shape;
import io.jgloo.Payload;
import io.jgloo.Ranks;
import io.jgloo.TensorContract;
import io.jgloo.Work;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.memory.Memory;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Arrays whose memory PyTorch allocates, and those that lie in memory of Java. */
@Timeout(100)
class DjlTensorsTest extends TensorContract<NDArray> {

  private static NDManager manager;

  @BeforeAll
  static void open() {
    System.setProperty("ai.djl.offline", "true"); // the natives come from the class path
    manager = NDManager.newBaseManager("PyTorch");
  }

  @AfterAll
  static void closeManager() {
    manager.close();
  }

  @Override
  protected List<DataType> types() {
    return List.of(
        DataType.FLOAT64,
        DataType.FLOAT32,
        DataType.FLOAT16,
        DataType.INT64,
        DataType.INT32,
        DataType.INT8,
        DataType.UINT8,
        DataType.BOOL);
  }

  @Override
  protected NDArray tensor(DataType type, int count, int value) {
    ai.djl.ndarray.types.DataType theirs =
        type == DataType.BOOL
            ? ai.djl.ndarray.types.DataType.BOOLEAN
            : ai.djl.ndarray.types.DataType.valueOf(type.name());
    return manager.full(new Shape(count), value, theirs);
  }

  @Override
  protected Payload payload(NDArray array) {
    return DjlTensors.of(array);
  }

  @Override
  protected long address(NDArray array) {
    return Memory.addressOf(array.toByteBuffer(true));
  }

  @Override
  protected double element(NDArray array, int index) {
    try (NDArray element = array.get(index);
        NDArray wide = element.toType(ai.djl.ndarray.types.DataType.FLOAT64, true)) {
      return wide.getDouble();
    }
  }

  @Override
  protected void close(NDArray array) {
    array.close();
  }

  @Test
  void arrayInJavaMemory_keepsItWhenClosedUnderARunningCall() {
    int count = 1 << 20;
    CountDownLatch closed = new CountDownLatch(1);
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) -> {
            if (rank == 1) {
              closed.await();
              NDArray y = manager.create(new float[count]);
              group.allreduce(DjlTensors.of(y), ReduceOp.SUM);
              for (int i = 0; i < count; i += 997) {
                assertEquals(0, y.getFloat(i), "element " + i);
              }
              return;
            }
            Work work;
            try (NDScope scope = new NDScope()) { // closes the arrays that are made in it
              scope.suppressNotUsedWarning();
              NDArray x = manager.create(new float[count]);
              work = group.async().allreduce(DjlTensors.of(x), ReduceOp.SUM);
            }
            for (int i = 0; i < 4; i++) {
              System.gc();
              manager.create(new float[count]).addi(1).close();
            }
            closed.countDown();
            work.await();
          });
    }
  }

  @Test
  void partOfAnArray_isReducedInPlace() {
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) -> {
            NDArray x = manager.create(new float[] {1, 2, 3, 4, 5, 6}, new Shape(3, 2));
            group.allreduce(DjlTensors.of(x.get(1)), ReduceOp.SUM);
            assertEquals(List.of(1f, 2f, 6f, 8f, 5f, 6f), list(x));
          });
    }
  }

  private static List<Float> list(NDArray x) {
    Float[] boxed = new Float[(int) x.size()];
    float[] values = x.toFloatArray();
    for (int i = 0; i < values.length; i++) {
      boxed[i] = values[i];
    }
    return List.of(boxed);
  }

  @Test
  void unusableArrays_areRefused() {
    NDArray x = manager.create(new float[] {1, 2, 3, 4, 5, 6}, new Shape(3, 2));
    refused("must be contiguous", x.transpose());
    refused("must be contiguous", x.get(":, 1"));
    NDArray complex =
        manager.zeros(new Shape(2)).toType(ai.djl.ndarray.types.DataType.COMPLEX64, true);
    refused("but is of complex64", complex);
    x.close();
    refused("must be open, but is closed", x);
    refused("must be of engine PyTorch, but is null", null);
  }
}
