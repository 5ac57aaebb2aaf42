package io.jgloo.onnxruntime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.platform.Fp16Conversions;
import io.jgloo.Payload;
import io.jgloo.Ranks;
import io.jgloo.TensorContract;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.memory.Memory;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tensors made of direct buffers, of arrays, and the outputs of a session. */
@Timeout(100)
class OnnxTensorsTest extends TensorContract<OnnxTensor> {

  private static final OrtEnvironment ENVIRONMENT = OrtEnvironment.getEnvironment();

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
        DataType.UINT8,
        DataType.BOOL);
  }

  @Override
  protected OnnxTensor tensor(DataType type, int count, int value) {
    ByteBuffer bytes = direct(count * type.bytes() + 8).position(8).slice();
    bytes.order(ByteOrder.nativeOrder());
    for (int at = 0; at < bytes.capacity(); at += type.bytes()) {
      switch (type) {
        case FLOAT64 -> bytes.putDouble(at, value);
        case FLOAT32 -> bytes.putFloat(at, value);
        case FLOAT16 -> bytes.putShort(at, Fp16Conversions.floatToFp16(value));
        case BFLOAT16 -> bytes.putShort(at, Fp16Conversions.floatToBf16(value));
        case INT64 -> bytes.putLong(at, value);
        case INT32 -> bytes.putInt(at, value);
        case INT16 -> bytes.putShort(at, (short) value);
        default -> bytes.put(at, (byte) value);
      }
    }
    try {
      return OnnxTensor.createTensor(ENVIRONMENT, bytes, new long[] {count}, theirs(type));
    } catch (OrtException e) {
      throw new AssertionError(e);
    }
  }

  private static OnnxJavaType theirs(DataType type) {
    return switch (type) {
      case FLOAT64 -> OnnxJavaType.DOUBLE;
      case FLOAT32 -> OnnxJavaType.FLOAT;
      default -> OnnxJavaType.valueOf(type.name());
    };
  }

  private static ByteBuffer direct(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
  }

  @Override
  protected Payload payload(OnnxTensor tensor) {
    return OnnxTensors.of(tensor);
  }

  @Override
  protected long address(OnnxTensor tensor) {
    return Memory.addressOf(tensor.getBufferRef().orElseThrow());
  }

  @Override
  protected double element(OnnxTensor tensor, int index) {
    return switch (tensor.getInfo().type) {
      case DOUBLE -> tensor.getDoubleBuffer().get(index);
      case FLOAT, FLOAT16, BFLOAT16 -> tensor.getFloatBuffer().get(index);
      case INT64 -> tensor.getLongBuffer().get(index);
      case INT32 -> tensor.getIntBuffer().get(index);
      case INT16 -> tensor.getShortBuffer().get(index);
      default -> tensor.getByteBuffer().get(index);
    };
  }

  @Override
  protected void close(OnnxTensor tensor) {
    tensor.close();
  }

  @Override
  protected boolean outlivesClose() {
    return true; // the memory is the buffer's
  }

  @Test
  void tensorOfPartOfABuffer_isReducedInPlace() {
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) -> {
            FloatBuffer all = direct(24).asFloatBuffer().put(new float[] {1, 2, 3, 4, 5, 6}).flip();
            FloatBuffer part = all.duplicate().position(2).limit(4);
            try (OnnxTensor x = OnnxTensor.createTensor(ENVIRONMENT, part, new long[] {1, 2})) {
              group.allreduce(OnnxTensors.of(x), ReduceOp.SUM);
              assertEquals(6, x.getFloatBuffer().get(0));
            }
            float[] values = new float[6];
            all.get(values);
            assertArrayEquals(new float[] {1, 2, 6, 8, 5, 6}, values);
          });
    }
  }

  @Test
  void pinnedOutputsOfASession_areReducedInPlace_othersAreRefused() {
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) -> {
            FloatBuffer memory = direct(16).asFloatBuffer();
            try (OrtSession session = ENVIRONMENT.createSession(negation());
                OnnxTensor x = OnnxTensor.createTensor(ENVIRONMENT, new float[] {1, 2, 3, rank});
                OnnxTensor y = OnnxTensor.createTensor(ENVIRONMENT, memory, new long[] {4})) {
              try (OrtSession.Result result = session.run(Map.of("x", x), Map.of("y", y))) {
                group.allreduce(OnnxTensors.of(y), ReduceOp.SUM);
                assertEquals(-4, ((OnnxTensor) result.get(0)).getFloatBuffer().get(1));
                assertEquals(-1, memory.get(3));
              }
              try (OrtSession.Result result = session.run(Map.of("x", x))) {
                refused("memory is the runtime's", (OnnxTensor) result.get(0));
              }
            }
          });
    }
  }

  @Test
  void unusableTensors_areRefused() throws OrtException {
    refused("but is of STRING", OnnxTensor.createTensor(ENVIRONMENT, "text"));
    FloatBuffer turned = ByteBuffer.allocateDirect(16).order(ByteOrder.BIG_ENDIAN).asFloatBuffer();
    refused(
        "but its buffer is in BIG_ENDIAN",
        OnnxTensor.createTensor(ENVIRONMENT, turned, new long[] {4}));
    FloatBuffer moved = direct(16).asFloatBuffer();
    OnnxTensor x = OnnxTensor.createTensor(ENVIRONMENT, moved, new long[] {4});
    moved.position(1);
    refused("position and limit around its 4 elements", x);
    x.close();
    refused("but is closed", x);
    refused("but is null", null);
  }

  /** A model y = -x of four floats, in the encoding of Protocol Buffers. */
  private static byte[] negation() {
    byte[] shape = field(1, number(1, 4));
    byte[] type = field(1, number(1, 1), field(2, shape));
    byte[] node = concat(text(1, "x"), text(2, "y"), text(4, "Neg"));
    byte[] graph =
        concat(
            field(1, node),
            text(2, "negation"),
            field(11, text(1, "x"), field(2, type)),
            field(12, text(1, "y"), field(2, type)));
    return concat(number(1, 8), field(7, graph), field(8, number(2, 13)));
  }

  private static byte[] number(int field, int value) {
    return new byte[] {(byte) (field << 3), (byte) value};
  }

  private static byte[] text(int field, String value) {
    return field(field, value.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] field(int field, byte[]... content) {
    byte[] all = concat(content);
    return concat(new byte[] {(byte) (field << 3 | 2), (byte) all.length}, all);
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
