package io.jgloo.onnxruntime;

import ai.onnxruntime.OnnxTensor;
import io.jgloo.Payload;
import io.jgloo.collectives.DataType;
import io.jgloo.transport.memory.Memory;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/**
 * Makes payloads of tensors of ONNX Runtime that lie in a direct buffer.
 *
 * <pre>{@code
 * try (OnnxTensor output = OnnxTensor.createTensor(environment, buffer, shape);
 *     OrtSession.Result result = session.run(inputs, Map.of("y", output))) {
 *   group.allreduce(OnnxTensors.of(output), ReduceOp.SUM);
 * }
 * }</pre>
 *
 * <p>Such a tensor is made of a buffer or an array. The outputs of a session have one if they are
 * given to {@code run}, as above; memory that the runtime allocates itself is not accessible in
 * Java without a copy. A call keeps the buffer reachable, so that the tensor may be closed
 * meanwhile.
 *
 * <p><em>Threads</em>: any.
 */
public final class OnnxTensors {

  private OnnxTensors() {}

  /**
   * All elements of a tensor, in place. If it was made of a direct buffer, position and limit of
   * that must be what they were then.
   *
   * @throws IllegalArgumentException if the tensor is null, closed, in memory that the runtime
   *     allocated, not in native byte order, or of a type that JGloo has not
   */
  public static Payload of(OnnxTensor tensor) {
    if (tensor == null || tensor.isClosed()) {
      throw new IllegalArgumentException(
          "tensor must be open, but is " + (tensor == null ? null : "closed"));
    }
    DataType type = type(tensor);
    Buffer buffer = buffer(tensor);
    if (order(buffer) != ByteOrder.nativeOrder() && type.bytes() > 1) {
      throw new IllegalArgumentException(
          ("tensor must be made of a buffer in native order, " + ByteOrder.nativeOrder())
              + (", but its buffer is in " + order(buffer)));
    }
    int bytes = bytes(buffer);
    long count = tensor.getInfo().getNumElements();
    if ((long) buffer.remaining() * bytes != count * type.bytes()) {
      throw new IllegalArgumentException(
          ("buffer of the tensor must have position and limit around its " + count + " elements")
              + (", as when the tensor was made, but is " + buffer));
    }
    long address = Memory.addressOf(buffer) + (long) buffer.position() * bytes;
    return Payload.ofAddress(address, count, type, buffer);
  }

  private static DataType type(OnnxTensor tensor) {
    return switch (tensor.getInfo().type) {
      case DOUBLE -> DataType.FLOAT64;
      case FLOAT -> DataType.FLOAT32;
      case FLOAT16 -> DataType.FLOAT16;
      case BFLOAT16 -> DataType.BFLOAT16;
      case INT64 -> DataType.INT64;
      case INT32 -> DataType.INT32;
      case INT16 -> DataType.INT16;
      case INT8 -> DataType.INT8;
      case UINT8 -> DataType.UINT8;
      case BOOL -> DataType.BOOL;
      default ->
          throw new IllegalArgumentException(
              "tensor must be of a float, integer or boolean type, but is of "
                  + tensor.getInfo().type);
    };
  }

  private static Buffer buffer(OnnxTensor tensor) {
    Buffer buffer;
    try {
      buffer = tensor.getBufferRef().orElse(null);
    } catch (NullPointerException e) {
      buffer = null; // what version 1.29 throws in place of returning an empty Optional
    }
    if (buffer == null || !buffer.isDirect()) {
      throw new IllegalArgumentException(
          "tensor must be made of a direct buffer, but its memory is the runtime's; for an output"
              + " of a session, give such a tensor to run as a pinned output");
    }
    return buffer;
  }

  private static ByteOrder order(Buffer buffer) {
    if (buffer instanceof FloatBuffer floats) {
      return floats.order();
    } else if (buffer instanceof DoubleBuffer doubles) {
      return doubles.order();
    } else if (buffer instanceof LongBuffer longs) {
      return longs.order();
    } else if (buffer instanceof IntBuffer ints) {
      return ints.order();
    } else if (buffer instanceof ShortBuffer shorts) {
      return shorts.order();
    }
    return ((ByteBuffer) buffer).order();
  }

  private static int bytes(Buffer buffer) {
    if (buffer instanceof DoubleBuffer || buffer instanceof LongBuffer) {
      return 8;
    } else if (buffer instanceof FloatBuffer || buffer instanceof IntBuffer) {
      return 4;
    }
    return buffer instanceof ShortBuffer ? 2 : 1;
  }
}
