package io.jgloo.collectives.kernel;

import com.sun.jna.FunctionMapper;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import java.nio.file.Path;
import java.util.Map;

/** The C functions of native/src/kernels.c, by JNA's direct mapping: 80 ns a call. */
final class NativeCalls {

  private NativeCalls() {}

  /**
   * Binds the functions below to a library; nothing here may be called before.
   *
   * @throws UnsatisfiedLinkError when it cannot be loaded, or lacks one of them
   */
  static void bind(Path library) {
    FunctionMapper names = (owner, method) -> "jgloo_" + snakeCase(method.getName());
    Native.register(
        NativeCalls.class,
        NativeLibrary.getInstance(
            library.toString(), Map.of(Library.OPTION_FUNCTION_MAPPER, names)));
  }

  static native int abiVersion();

  static native int kernelLevel();

  static native int kernel(int level, int type, int op);

  static native void reduce(int handle, long target, long source, long count);

  private static String snakeCase(String camelCase) {
    StringBuilder snake = new StringBuilder();
    for (char c : camelCase.toCharArray()) {
      if (Character.isUpperCase(c)) {
        snake.append('_').append(Character.toLowerCase(c));
      } else {
        snake.append(c);
      }
    }
    return snake.toString();
  }
}
