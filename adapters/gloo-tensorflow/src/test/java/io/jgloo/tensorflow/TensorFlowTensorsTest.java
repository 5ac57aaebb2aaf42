package io.jgloo.tensorflow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.Payload;
import io.jgloo.Ranks;
import io.jgloo.TensorContract;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tensorflow.EagerSession;
import org.tensorflow.SparseTensor;
import org.tensorflow.Tensor;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.ndarray.buffer.DataStorageVisitor;
import org.tensorflow.op.Ops;
import org.tensorflow.types.TBfloat16;
import org.tensorflow.types.TBool;
import org.tensorflow.types.TFloat16;
import org.tensorflow.types.TFloat32;
import org.tensorflow.types.TFloat64;
import org.tensorflow.types.TInt32;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.TString;
import org.tensorflow.types.TUint16;
import org.tensorflow.types.TUint8;

/** Tensors that the program makes, and results of operations. */
@Timeout(100)
class TensorFlowTensorsTest extends TensorContract<Tensor> {

  @Override
  protected List<DataType> types() {
    return List.of(
        DataType.FLOAT64,
        DataType.FLOAT32,
        DataType.FLOAT16,
        DataType.BFLOAT16,
        DataType.INT64,
        DataType.INT32,
        DataType.UINT16,
        DataType.UINT8,
        DataType.BOOL);
  }

  @Override
  protected Tensor tensor(DataType type, int count, int value) {
    Shape shape = Shape.of(count);
    return switch (type) {
      case FLOAT64 -> TFloat64.tensorOf(shape, x -> x.scalars().forEach(e -> e.setDouble(value)));
      case FLOAT32 -> float32(count, value);
      case FLOAT16 -> TFloat16.tensorOf(shape, x -> x.scalars().forEach(e -> e.setFloat(value)));
      case BFLOAT16 -> TBfloat16.tensorOf(shape, x -> x.scalars().forEach(e -> e.setFloat(value)));
      case INT64 -> TInt64.tensorOf(shape, x -> x.scalars().forEach(e -> e.setLong(value)));
      case INT32 -> TInt32.tensorOf(shape, x -> x.scalars().forEach(e -> e.setInt(value)));
      case UINT16 ->
          TUint16.tensorOf(shape, x -> x.scalars().forEach(e -> e.setShort((short) value)));
      case UINT8 -> TUint8.tensorOf(shape, x -> x.scalars().forEach(e -> e.setByte((byte) value)));
      case BOOL -> TBool.tensorOf(shape, x -> x.scalars().forEach(e -> e.setBoolean(value == 1)));
      default -> throw new AssertionError(type);
    };
  }

  private static Tensor float32(int count, int value) {
    float[] values = new float[count];
    java.util.Arrays.fill(values, value);
    return TFloat32.vectorOf(values);
  }

  @Override
  protected Payload payload(Tensor tensor) {
    return TensorFlowTensors.of(tensor);
  }

  @Override
  protected long address(Tensor tensor) {
    return tensor
        .asRawTensor()
        .data()
        .accept(
            new DataStorageVisitor<Long>() {
              @Override
              public Long visit(long address, long length, long scale) {
                return address;
              }

              @Override
              public Long fallback() {
                throw new AssertionError("no address");
              }
            });
  }

  @Override
  protected double element(Tensor tensor, int index) {
    if (tensor instanceof TFloat64 x) {
      return x.getDouble(index);
    } else if (tensor instanceof TFloat32 x) {
      return x.getFloat(index);
    } else if (tensor instanceof TFloat16 x) {
      return x.getFloat(index);
    } else if (tensor instanceof TBfloat16 x) {
      return x.getFloat(index);
    } else if (tensor instanceof TInt64 x) {
      return x.getLong(index);
    } else if (tensor instanceof TInt32 x) {
      return x.getInt(index);
    } else if (tensor instanceof TUint16 x) {
      return x.getShort(index);
    } else if (tensor instanceof TUint8 x) {
      return x.getByte(index);
    }
    return ((TBool) tensor).getBoolean(index) ? 1 : 0;
  }

  @Override
  protected void close(Tensor tensor) {
    tensor.close();
  }

  @Test
  void resultOfAnOperation_isReducedInPlace() {
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) -> {
            try (EagerSession session = EagerSession.create()) {
              Ops operations = Ops.create(session);
              TFloat32 y =
                  operations
                      .math
                      .add(operations.constant(new float[] {1, 2}), operations.constant(rank + 1f))
                      .asTensor();
              group.allreduce(TensorFlowTensors.of(y), ReduceOp.SUM);
              assertEquals(5, y.getFloat(0)); // 2 + 3
              assertEquals(7, y.getFloat(1)); // 3 + 4
            }
          });
    }
  }

  @Test
  void unusableTensors_areRefused() {
    refused("but is of DT_STRING", TString.vectorOf("text"));
    refused(
        "must be dense, but is sparse",
        SparseTensor.of(TInt64.tensorOf(Shape.of(1, 1)), TFloat32.vectorOf(1), TInt64.vectorOf(4)));
    Tensor x = TFloat32.vectorOf(1, 2);
    x.close();
    refused("must be open, but is closed", x);
    refused("must be dense, but is null", null);
  }
}
