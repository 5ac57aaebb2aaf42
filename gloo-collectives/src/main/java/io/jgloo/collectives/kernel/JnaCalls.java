package io.jgloo.collectives.kernel;

import com.sun.jna.FunctionMapper;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import java.nio.file.Path;
import java.util.Map;

/** C calls by JNA's direct mapping, for Java 17 to 21: 80 to 140 ns each. */
final class JnaCalls implements NativeCalls {

  /** Symbols by the names the native methods below bear. */
  private static final Map<String, String> SYMBOLS =
      Map.of(
          "nativeAbiVersion", "jgloo_abi_version",
          "nativeKernelLevel", "jgloo_kernel_level",
          "nativeKernel", "jgloo_kernel",
          "nativeReduce", "jgloo_reduce");

  private JnaCalls() {}

  static NativeCalls bind(Path library) {
    FunctionMapper symbols = (owner, method) -> SYMBOLS.get(method.getName());
    Native.register(
        JnaCalls.class,
        NativeLibrary.getInstance(
            library.toString(), Map.of(Library.OPTION_FUNCTION_MAPPER, symbols)));
    return new JnaCalls();
  }

  @Override
  public int abiVersion() {
    return nativeAbiVersion();
  }

  @Override
  public int kernelLevel() {
    return nativeKernelLevel();
  }

  @Override
  public int kernel(int level, int type, int op) {
    return nativeKernel(level, type, op);
  }

  @Override
  public void reduce(int handle, long target, long source, long count) {
    nativeReduce(handle, target, source, count);
  }

  @Override
  public int callNanos() {
    return 120;
  }

  private static native int nativeAbiVersion();

  private static native int nativeKernelLevel();

  private static native int nativeKernel(int level, int type, int op);

  private static native void nativeReduce(int handle, long target, long source, long count);
}
