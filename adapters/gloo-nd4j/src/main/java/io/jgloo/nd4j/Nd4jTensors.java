package io.jgloo.nd4j;

import io.jgloo.Payload;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.Retainable;
import java.util.Arrays;
import java.util.IdentityHashMap;
import org.nd4j.linalg.api.buffer.DataBuffer;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * Makes payloads of arrays of ND4J.
 *
 * <pre>{@code
 * group.allreduce(Nd4jTensors.of(model.gradient().gradient()), ReduceOp.AVG);
 * }</pre>
 *
 * <p>Calls work on the memory of the array. While they run, its data buffer is marked as constant:
 * {@code close} of an array does nothing then, {@code close} of a buffer throws. A call on an array
 * that is closed already is refused.
 *
 * <p><em>Threads</em>: any.
 */
public final class Nd4jTensors {

  /**
   * How many calls retain each buffer. A buffer has one flag, whatever the number of arrays,
   * payloads and groups that use it, so that the count is of the process.
   */
  private static final IdentityHashMap<DataBuffer, Integer> CALLS = new IdentityHashMap<>();

  private Nd4jTensors() {}

  /**
   * All elements of an array, in place.
   *
   * @throws IllegalArgumentException if the array is null, closed, empty, compressed, in a
   *     workspace, not contiguous in order c, or of a type that JGloo has not
   */
  public static Payload of(INDArray array) {
    if (array == null || array.wasClosed()) {
      throw new IllegalArgumentException(
          "array must be open, but is " + (array == null ? null : "closed"));
    }
    if (array.isEmpty() || array.isCompressed()) {
      throw new IllegalArgumentException(
          "array must have elements, but is " + (array.isEmpty() ? "empty" : "compressed"));
    }
    DataType type = type(array);
    if (array.isAttached()) {
      throw new IllegalArgumentException(
          "array must not be in a workspace, which reuses its memory, but is in "
              + (array.data().getParentWorkspace().getId() + "; use detach()"));
    }
    requireContiguous(array);
    DataBuffer root = array.data().originalDataBuffer();
    return Payload.ofAddress(
        address(array),
        array.length(),
        type,
        new Marked(array, root == null ? array.data() : root));
  }

  /** The address of the first element. */
  static long address(INDArray array) {
    return array.data().address() + array.offset() * array.dataType().width();
  }

  private static DataType type(INDArray array) {
    return switch (array.dataType()) {
      case DOUBLE -> DataType.FLOAT64;
      case FLOAT -> DataType.FLOAT32;
      case HALF -> DataType.FLOAT16;
      case BFLOAT16 -> DataType.BFLOAT16;
      case LONG -> DataType.INT64;
      case INT -> DataType.INT32;
      case SHORT -> DataType.INT16;
      case BYTE -> DataType.INT8;
      case UINT64 -> DataType.UINT64;
      case UINT32 -> DataType.UINT32;
      case UINT16 -> DataType.UINT16;
      case UBYTE -> DataType.UINT8;
      case BOOL -> DataType.BOOL;
      default ->
          throw new IllegalArgumentException(
              "array must be of a float, integer or boolean type, but is of " + array.dataType());
    };
  }

  /** Dimensions of one element may have any stride. */
  private static void requireContiguous(INDArray array) {
    long next = 1;
    for (int i = array.rank() - 1; i >= 0; i--) {
      if (array.size(i) != 1 && array.stride(i) != next) {
        throw new IllegalArgumentException(
            ("array must be contiguous in order c, but has shape " + Arrays.toString(array.shape()))
                + (", strides " + Arrays.toString(array.stride()) + " and order ")
                + (array.ordering() + "; use dup('c')"));
      }
      next *= array.size(i);
    }
  }

  /** A buffer that is not closed while calls run; holds the array, whose collection frees it. */
  private record Marked(INDArray array, DataBuffer buffer) implements Retainable {

    @Override
    public void retain() {
      synchronized (CALLS) {
        if (array.wasClosed()) {
          throw new IllegalStateException("the array of this payload is closed");
        }
        if (CALLS.containsKey(buffer) || !buffer.isConstant()) {
          CALLS.merge(buffer, 1, Integer::sum);
          buffer.setConstant(true);
        }
      }
    }

    @Override
    public void release() {
      synchronized (CALLS) {
        Integer calls = CALLS.get(buffer);
        if (calls != null && calls == 1) {
          CALLS.remove(buffer);
          buffer.setConstant(false);
        } else if (calls != null) {
          CALLS.put(buffer, calls - 1);
        }
      }
    }
  }
}
