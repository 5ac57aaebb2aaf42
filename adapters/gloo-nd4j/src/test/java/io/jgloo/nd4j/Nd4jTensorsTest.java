package io.jgloo.nd4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.Payload;
import io.jgloo.Ranks;
import io.jgloo.TensorContract;
import io.jgloo.Work;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.indexing.NDArrayIndex;

/** Arrays and views of arrays. */
@Timeout(100)
class Nd4jTensorsTest extends TensorContract<INDArray> {

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
  protected INDArray tensor(DataType type, int count, int value) {
    return Nd4j.valueArrayOf(new long[] {count}, value, theirs(type));
  }

  private static org.nd4j.linalg.api.buffer.DataType theirs(DataType type) {
    return org.nd4j.linalg.api.buffer.DataType.valueOf(
        switch (type) {
          case FLOAT64 -> "DOUBLE";
          case FLOAT32 -> "FLOAT";
          case FLOAT16 -> "HALF";
          case INT64 -> "LONG";
          case INT32 -> "INT";
          case INT16 -> "SHORT";
          case INT8 -> "BYTE";
          case UINT8 -> "UBYTE";
          default -> type.name();
        });
  }

  @Override
  protected Payload payload(INDArray array) {
    return Nd4jTensors.of(array);
  }

  @Override
  protected long address(INDArray array) {
    return array.data().pointer().address();
  }

  @Override
  protected double element(INDArray array, int index) {
    return array.getDouble(index);
  }

  @Override
  protected void close(INDArray array) {
    array.close();
  }

  @Test
  void viewsOfOneArray_areReducedAtTheSameTime() {
    CountDownLatch refused = new CountDownLatch(1);
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) -> {
            INDArray x = Nd4j.valueArrayOf(new long[] {4, 1000}, rank + 1f);
            INDArray row = x.getRow(1);
            INDArray rows = x.get(NDArrayIndex.interval(2, 4), NDArrayIndex.all());
            if (rank == 1) {
              refused.await();
            }
            Work one = group.async().allreduce(Nd4jTensors.of(row), ReduceOp.SUM);
            Work other = group.async().allreduce(Nd4jTensors.of(rows), ReduceOp.PRODUCT);
            if (rank == 0) {
              x.close();
              assertFalse(x.wasClosed());
              refused.countDown();
            }
            one.await();
            other.await();
            assertEquals(rank + 1, x.getFloat(0, 999));
            assertEquals(3, x.getFloat(1, 999));
            assertEquals(2, x.getFloat(2, 0));
            assertEquals(2, x.getFloat(3, 999));
            assertEquals(4, x.addi(1).getFloat(1, 0));
            x.close();
            assertTrue(x.wasClosed());
          });
    }
  }

  @Test
  void unusableArrays_areRefused() {
    INDArray x = Nd4j.create(org.nd4j.linalg.api.buffer.DataType.FLOAT, 4, 3);
    refused("must be contiguous in order c, but has shape [3, 4], strides [1, 3]", x.transpose());
    refused("must be contiguous", x.getColumn(1));
    refused("but is of UTF8", Nd4j.create("text"));
    refused("but is empty", Nd4j.empty());
    try (MemoryWorkspace scope =
        Nd4j.getWorkspaceManager().getAndActivateWorkspace("of the test")) {
      assertEquals("of the test", scope.getId());
      refused("but is in of the test; use detach()", Nd4j.create(3));
    }
    x.close();
    refused("but is closed", x);
    refused("but is null", null);
  }
}
