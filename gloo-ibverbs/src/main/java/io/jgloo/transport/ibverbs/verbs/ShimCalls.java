package io.jgloo.transport.ibverbs.verbs;

import com.sun.jna.FunctionMapper;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import io.jgloo.transport.library.LibraryFile;
import java.io.IOException;
import java.util.Map;

/** The driver's functions by C functions in libjgloo, which allocate nothing: 80 ns. */
final class ShimCalls implements DriverCalls {

  /** Symbols by the names the native methods below bear. */
  private static final Map<String, String> SYMBOLS =
      Map.of(
          "nativePostSend", "jgloo_verbs_post_send",
          "nativePostReceive", "jgloo_verbs_post_receive",
          "nativePoll", "jgloo_verbs_poll",
          "nativeRequestEvent", "jgloo_verbs_request_event");

  private ShimCalls() {}

  /**
   * Loads the library and binds its functions.
   *
   * @throws IOException if there is no such file
   * @throws LinkageError if it cannot be loaded, or is one without these functions
   * @throws UnsupportedOperationException if the user has switched it off
   */
  static ShimCalls bind() throws IOException {
    FunctionMapper symbols = (owner, method) -> SYMBOLS.get(method.getName());
    try (LibraryFile file = LibraryFile.find(System.getProperties())) {
      Native.register(
          ShimCalls.class,
          NativeLibrary.getInstance(
              file.path().toString(), Map.of(Library.OPTION_FUNCTION_MAPPER, symbols)));
    }
    return new ShimCalls();
  }

  @Override
  public int postSend(long pair, long first, long refused) {
    return nativePostSend(pair, first, refused);
  }

  @Override
  public int postReceive(long pair, long first, long refused) {
    return nativePostReceive(pair, first, refused);
  }

  @Override
  public int poll(long queue, int most, long completions) {
    return nativePoll(queue, most, completions);
  }

  @Override
  public int requestEvent(long queue) {
    return nativeRequestEvent(queue);
  }

  private static native int nativePostSend(long pair, long first, long refused);

  private static native int nativePostReceive(long pair, long first, long refused);

  private static native int nativePoll(long queue, int most, long completions);

  private static native int nativeRequestEvent(long queue);
}
