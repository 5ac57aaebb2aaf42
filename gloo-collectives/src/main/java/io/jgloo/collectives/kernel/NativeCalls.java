package io.jgloo.collectives.kernel;

import java.nio.file.Path;

/** The C functions of native/src/kernels.c, bound to a loaded library. */
interface NativeCalls {

  /**
   * Binds them in the cheapest way this JDK has.
   *
   * @throws LinkageError when the library cannot be loaded, or lacks one of them
   */
  static NativeCalls bind(Path library) {
    return Runtime.version().feature() >= ForeignCalls.FIRST_RELEASE
        ? ForeignCalls.bind(library)
        : JniCalls.bind(library);
  }

  int abiVersion();

  /** The highest CPU level: 0 baseline, 1 AVX2, 2 AVX-512. */
  int kernelLevel();

  /** A handle for {@link #reduce}; negative when this CPU has no such kernel. */
  int kernel(int level, int type, int op);

  void reduce(int handle, long target, long source, long count);

  /** What a call costs beyond the work done in it, about, as measured. */
  int callNanos();
}
