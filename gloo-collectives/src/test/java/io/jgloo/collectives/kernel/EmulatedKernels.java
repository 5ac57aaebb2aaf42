package io.jgloo.collectives.kernel;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.memory.Memory;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The kernels of a native library, run by {@code native/test/kernel_runner.c} in a process. */
final class EmulatedKernels implements AutoCloseable {

  private final Process process;
  private final OutputStream requests;
  private final DataInputStream replies;
  private final long highestLevel;

  /**
   * Starts the process.
   *
   * @param command the runner with the library, behind an emulator where it needs one
   * @throws IOException if the command cannot be started, or ends before it has loaded the library
   */
  EmulatedKernels(List<String> command) throws IOException {
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    requests = process.getOutputStream();
    replies = new DataInputStream(process.getInputStream());
    highestLevel = Long.reverseBytes(replies.readLong());
  }

  /** The kernel at each level that the emulated processor has, by name. */
  Map<String, Loop> loops(DataType type, ReduceOp op) {
    Map<String, Loop> loops = new LinkedHashMap<>();
    for (long i = 0; i <= highestLevel; i++) {
      long level = i;
      loops.put(
          "emulated level " + level,
          (target, source, bytes) -> run(level, type, op, target, source, bytes));
    }
    return loops;
  }

  private void run(long level, DataType type, ReduceOp op, long target, long source, long bytes) {
    int length = Math.toIntExact(bytes);
    ByteBuffer request =
        ByteBuffer.allocate(7 * Long.BYTES + 2 * length).order(ByteOrder.LITTLE_ENDIAN);
    request.putLong(level);
    request.putLong(NativeKernels.TYPES.get(type));
    request.putLong(NativeKernels.OPS.get(op));
    request.putLong(target % 64);
    request.putLong(source % 64);
    request.putLong(length / type.bytes());
    request.putLong(type.bytes());
    for (int i = 0; i < length; i++) {
      request.put(request.position() + length, Memory.getByte(source + i));
      request.put(Memory.getByte(target + i));
    }
    byte[] reply = new byte[length];
    try {
      requests.write(request.array());
      requests.flush();
      replies.readFully(reply);
    } catch (IOException e) {
      throw new UncheckedIOException("the emulated library failed, see its standard error", e);
    }
    for (int i = 0; i < length; i++) {
      Memory.putByte(target + i, reply[i]);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
