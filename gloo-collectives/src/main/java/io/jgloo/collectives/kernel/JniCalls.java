package io.jgloo.collectives.kernel;

import java.nio.file.Path;

/**
 * C calls by JNI, for Java 17 to 21: 6 ns each, where JNA's direct mapping takes 116.
 *
 * <p>A class loader of its own in each of two applications needs a file of its own in each, which
 * it has if the library is unpacked from the jar.
 */
final class JniCalls implements NativeCalls {

  private JniCalls() {}

  static NativeCalls bind(Path library) {
    System.load(library.toString());
    return new JniCalls();
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
    return 6;
  }

  private static native int nativeAbiVersion();

  private static native int nativeKernelLevel();

  private static native int nativeKernel(int level, int type, int op);

  private static native void nativeReduce(int handle, long target, long source, long count);
}
