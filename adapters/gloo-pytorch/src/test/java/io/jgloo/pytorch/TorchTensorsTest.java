package io.jgloo.pytorch;

import static org.bytedeco.pytorch.global.torch.full;
import static org.bytedeco.pytorch.global.torch.randn;
import static org.bytedeco.pytorch.global.torch.set_num_threads;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.Ranks;
import io.jgloo.TensorContract;
import io.jgloo.Work;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tensors that are closed, collected, given other memory, or not usable. */
@Timeout(200)
class TorchTensorsTest extends TensorContract<Tensor> {

  private static final int COUNT = 1 << 20; // its memory is mapped
  private static final int ROUNDS = 20;

  @BeforeAll
  static void load() {
    set_num_threads(1); // before the ranks, which are threads
  }

  @Override
  protected List<DataType> types() {
    return List.of(
        DataType.FLOAT64,
        DataType.FLOAT32,
        DataType.FLOAT16,
        DataType.BFLOAT16,
        DataType.INT64,
        DataType.INT32,
        DataType.INT16,
        DataType.INT8,
        DataType.UINT64,
        DataType.UINT32,
        DataType.UINT16,
        DataType.UINT8,
        DataType.BOOL);
  }

  @Override
  protected Tensor tensor(DataType type, int count, int value) {
    return full(new long[] {count}, new Scalar(value), new TensorOptions(theirs(type)));
  }

  private static ScalarType theirs(DataType type) {
    return switch (type) {
      case FLOAT64 -> ScalarType.Double;
      case FLOAT32 -> ScalarType.Float;
      case FLOAT16 -> ScalarType.Half;
      case BFLOAT16 -> ScalarType.BFloat16;
      case INT64 -> ScalarType.Long;
      case INT32 -> ScalarType.Int;
      case INT16 -> ScalarType.Short;
      case INT8 -> ScalarType.Char;
      case UINT64 -> ScalarType.UInt64;
      case UINT32 -> ScalarType.UInt32;
      case UINT16 -> ScalarType.UInt16;
      case UINT8 -> ScalarType.Byte;
      case BOOL -> ScalarType.Bool;
    };
  }

  @Override
  protected Payload payload(Tensor tensor) {
    return TorchTensors.of(tensor);
  }

  @Override
  protected long address(Tensor tensor) {
    return tensor.data_ptr().address();
  }

  @Override
  protected double element(Tensor tensor, int index) {
    return tensor.select(0, index).item_double();
  }

  @Override
  protected void close(Tensor tensor) {
    tensor.close();
  }

  @Override
  protected boolean outlivesClose() {
    return true;
  }

  /** Starts a call on a tensor that is closed, or that nothing refers to any more. */
  private WeakReference<Tensor> start(Work[] work, ProcessGroup group, boolean closed) {
    PointerScope scope = closed ? new PointerScope() : null;
    Tensor x = tensor(DataType.FLOAT32, COUNT, 1);
    work[0] = group.async().allreduce(payload(x), ReduceOp.SUM);
    if (scope != null) {
      scope.close();
    }
    return new WeakReference<>(x);
  }

  @Test
  void tensorsThatAreCollected_keepTheirMemoryUntilTheEndOfTheCall() {
    Semaphore collected = new Semaphore(0);
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) -> {
            for (int i = 0; i < ROUNDS; i++) {
              if (rank == 1) {
                Tensor y = tensor(DataType.FLOAT32, COUNT, 2);
                collected.acquire();
                group.allreduce(payload(y), ReduceOp.SUM);
                for (int k = 0; k < COUNT; k += 9973) {
                  assertEquals(3, element(y, k), "element " + k);
                }
                y.close();
                continue;
              }
              Work[] work = new Work[1];
              WeakReference<Tensor> x = start(work, group, i % 2 == 0);
              while (x.get() != null) {
                System.gc();
              }
              Tensor other = tensor(DataType.FLOAT32, COUNT, 5); // overwrites memory that is free
              collected.release();
              work[0].await();
              other.close();
            }
          });
    }
  }

  @Test
  void tensorWithOtherMemory_isRefused_butMayGetItUnderARunningCall() {
    Semaphore replaced = new Semaphore(0);
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) -> {
            Tensor x = tensor(DataType.FLOAT32, COUNT, rank + 1);
            Payload payload = payload(x);
            if (rank == 1) {
              replaced.acquire();
              group.allreduce(payload, ReduceOp.SUM);
              assertEquals(3, element(x, COUNT - 1));
              return;
            }
            Work work = group.async().allreduce(payload, ReduceOp.SUM);
            x.set_data(tensor(DataType.FLOAT32, COUNT, 7));
            replaced.release();
            work.await();
            assertEquals(7, element(x, COUNT - 1));
            IllegalStateException e =
                assertThrows(
                    IllegalStateException.class, () -> group.allreduce(payload, ReduceOp.SUM));
            assertTrue(e.getMessage().startsWith("tensor has other memory than when"));
          });
    }
  }

  @Test
  void emptyTensor_isAPayloadOfNothing() {
    assertEquals(0, payload(tensor(DataType.FLOAT32, 0, 1)).count());
  }

  @Test
  void unusableTensors_areRefused() {
    refused("must be contiguous, but its elements are not", randn(3, 4).transpose(0, 1));
    refused("must be defined, but is undefined", new Tensor());
    refused("must be defined, but is null", null);
    refused(
        "but is of ComplexFloat",
        full(new long[] {2}, new Scalar(1), new TensorOptions(ScalarType.ComplexFloat)));
    Tensor x = randn(3);
    x.close();
    refused("must be defined, but is closed", x);
  }
}
